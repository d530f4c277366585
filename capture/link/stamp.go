package link

import "encoding/binary"

// A Stamp is when a switch that mirrors saw a frame, as it wrote into a header before it:
// that of ERSPAN III or of Arista.
type Stamp struct {
	// Clock tells the clocks of switches apart.
	Clock Clock
	// Time is in nanoseconds. It begins anew after Period, 0 for never.
	Time, Period int64
	// Since1970 says that Time counts from 1970-01-01 00:00 UTC, and not from whatever the
	// switch counts from.
	Since1970 bool
}

// A Clock names the clock of a switch.
type Clock struct {
	// Switch is the address that a mirror's packets come from, if they have one.
	Switch Addr
	// Engine is the Hw ID of ERSPAN III, each of which may have a clock of its own; Unit is
	// what it counts.
	Engine, Unit uint8
}

const wholeSecond = 1e9

// tai is how far TAI was ahead of UTC since 2017, before which no switch wrote these headers.
const tai = 37 * wholeSecond

// The units of ERSPAN III's time stamps, by Gra; that of 3 is set by the user.
const (
	hundredMicroseconds = 0
	hundredNanoseconds  = 1
	ieee1588            = 2
)

// Stamp is the time stamp that is nearest to what the frame carries, of the switch that
// saw it first. Ok is false if there is none, or one in unknown units.
func (h *Headers) Stamp() (s Stamp, ok bool) {
	for i := h.n - 1; i >= 0 && !ok; i-- {
		switch h.list[i].kind {
		case kindERSPAN3:
			s, ok = h.erspanStamp(i)
		case kindAristaTime48, kindAristaTime64:
			s, ok = h.aristaStamp(i)
		}
	}
	return s, ok
}

// bytes are those of the i-th header, nil if not all were captured.
func (h *Headers) bytes(i int) []byte {
	l := h.list[i]
	if end := int(l.offset) + int(l.size); end <= len(h.data) {
		return h.data[l.offset:end]
	}
	return nil
}

func (h *Headers) erspanStamp(i int) (s Stamp, ok bool) {
	b := h.bytes(i)
	if b == nil {
		return s, false
	}
	last := binary.BigEndian.Uint16(b[6:])
	ticks, gra := int64(binary.BigEndian.Uint32(b)), uint8(last>>1&3)
	s.Clock = Clock{h.mirror(i), uint8(last >> 4 & 0x3F), gra}
	switch gra {
	case hundredMicroseconds:
		s.Time, s.Period = ticks*100_000, 100_000<<32
	case hundredNanoseconds:
		s.Time, s.Period = ticks*100, 100<<32
	case ieee1588: // nanoseconds of a second
		if ticks >= wholeSecond {
			return s, false
		}
		s.Time, s.Period = ticks, wholeSecond
		if seconds, ok := h.erspanSeconds(i + 1); ok {
			s.Time, s.Period = seconds*wholeSecond+ticks, 0
		}
	default:
		return s, false
	}
	return s, true
}

// erspanSeconds are the seconds of a platform subheader, if the i-th header is one that
// has them.
func (h *Headers) erspanSeconds(i int) (seconds int64, ok bool) {
	if i >= h.n || h.list[i].kind != kindERSPANPlatform {
		return 0, false
	}
	b := h.bytes(i)
	if b == nil || b[0]>>2 != 5 && b[0]>>2 != 6 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint32(b[4:])), true
}

// mirror is where the packet comes from in which the i-th header is.
func (h *Headers) mirror(i int) Addr {
	for i--; i >= 0; i-- {
		switch b := h.bytes(i); {
		case b == nil:
		case h.list[i].kind == kindIPv4:
			return AddrIPv4(b[12:16])
		case h.list[i].kind == kindIPv6:
			return AddrIPv6(b[8:24])
		}
	}
	return Addr{}
}

func (h *Headers) aristaStamp(i int) (s Stamp, ok bool) {
	b := h.bytes(i)
	if b == nil || i == 0 {
		return s, false
	}
	s.Since1970 = true
	version := h.bytes(i - 1)[2:]
	if h.list[i].kind == kindAristaTime48 {
		s.Time, s.Period = int64(binary.BigEndian.Uint16(b))*wholeSecond, wholeSecond<<16
		b = b[2:]
	} else {
		s.Time = int64(binary.BigEndian.Uint32(b)) * wholeSecond
		b = b[4:]
	}
	s.Time += int64(binary.BigEndian.Uint32(b))
	if version[0] == 0 { // of which those of UTC have 1
		s.Time -= tai
	}
	return s, true
}

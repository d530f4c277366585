package rules

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// LastSeen is the newest that was captured of an end. Times are in nanoseconds since 1970,
// 0 for never.
type LastSeen struct {
	// Frame is its newest frame, at Time; Carried is when the newest came that was
	// Carrying.
	Frame         flow.Ref
	Time, Carried int64
	// New is the newest frame that the end did not send again; RightICRC says that some
	// frame had a right ICRC.
	New flow.Moment
	// Again is when its newest frame came that it sent again.
	Again     int64
	RightICRC bool
	// Station is the Ethernet address that the first frame had as its source, and away says
	// that the newest has another.
	Station Station
	away    bool
}

// A Station is an Ethernet address, all zeros for none.
type Station [6]byte

// StationOf is the source address of the Ethernet header before the IP header of a frame,
// after its VLAN tags; none where no such header is captured, and in a tunnel.
func StationOf(v *dissect.FrameView) (s Station) {
	const source, protocol, tag, tagged = 8, 2, 4, 0x81 // offsets before the IP header
	at, data := v.Link.Network(), v.Frame.Data
	if at < 14 || at > len(data) || v.Link.Tunneled() || (at-14)%tag != 0 {
		return s
	}
	if at >= 14+tag && data[at-protocol-tag] == tagged && data[at-protocol-tag+1] == 0 {
		at -= tag
	}
	switch binary.BigEndian.Uint16(data[at-protocol:]) { // of the outer tag, if there is one
	case 0x0800, 0x86dd, 0x8915, 0x8100:
		copy(s[:], data[at-source:])
	}
	return s // none where something else stands between, as PPPoE
}

// moves reports whether a frame has another station than the one before it: the first, or
// again the first.
func (l *LastSeen) moves(v *dissect.FrameView) bool {
	const source, protocol = 8, 2 // as in StationOf; the usual case costs little
	at, data := v.Link.Network(), v.Frame.Data
	if !l.away && at >= 14 && at <= len(data) && *(*Station)(data[at-source : at-protocol]) == l.Station {
		return false
	}
	s := StationOf(v)
	if (l.Station == Station{}) {
		l.Station = s
	}
	was := l.away
	l.away = s != l.Station
	return l.away != was
}

// note takes a frame of the end.
func (l *LastSeen) note(v *dissect.FrameView, class FrameClass) {
	l.Frame, l.Time = v.Frame.Ref(), v.Frame.Time
	if class&Carrying != 0 {
		l.Carried = max(l.Carried, v.Frame.Time)
	}
	if n := v.Verdict.Note; n == flow.Retransmission || n == flow.LostOnWire {
		l.Again = v.Frame.Time
	}
	if class&Datagram == 0 && IsNew(v) {
		l.New = flow.Moment{Ref: l.Frame, Time: l.Time}
	}
	if v.IB != nil && v.IB.Check == rocev2.ICRCRight {
		l.RightICRC = true
	}
}

// IsNew reports whether a frame is one that its sender did not send again, and that the
// receiver takes; a response is even if it is asked for again.
func IsNew(v *dissect.FrameView) bool {
	switch v.Verdict.Note {
	case flow.InOrder:
		return true
	case flow.Duplicate, flow.Corrupt:
		return v.IB == nil
	case flow.Retransmission, flow.LostOnWire:
		return v.IB != nil && !v.IB.OpCode.IsRequest()
	}
	return true
}

package iwarp

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// hunted tells a stream in one call to a Framer that has not seen the start-up.
func hunted(t *testing.T, strict bool, stream []byte) (*record, *Framer) {
	t.Helper()
	d, f := &record{t: t}, new(Framer)
	f.Hunt(d, CRCUnknown, strict)
	f.Data(stream)
	return d, f
}

// TestHuntNeeds: with how many FPDUs, after bytes that are none, a hunt is
// over before the end of the stream. Each of the FPDUs is of more than 512
// bytes, so there is no doubt about markers; the next one begins in time.
func TestHuntNeeds(t *testing.T) {
	for _, c := range []struct {
		crc    crcKind
		strict bool
		need   int
	}{
		{rightCRC, false, 2}, // the second's header shows that there is no marker
		{zeroCRC, false, 3},
		{junkCRC, false, 3},
		{rightCRC, true, 4},
		{zeroCRC, true, 4},
		{junkCRC, true, 8},
	} {
		for n := range 12 {
			s := newSender(false, c.crc, 5)
			for range n {
				s.fpdu(s.untagged(3, 0, s.bytes(600)))
			}
			d, f := hunted(t, c.strict, append(bytes.Repeat([]byte{0xff}, 333), s.stream...))
			if found := n >= c.need; f.Synchronized() != found || len(d.whole()) > 0 != found {
				t.Errorf("CRC %d, strict %v, %d FPDUs: in step %v, %d handed on", c.crc, c.strict, n, f.Synchronized(), len(d.fpdus))
			} else if found && (len(d.fpdus) != n || d.skipped != 333) {
				t.Errorf("CRC %d, strict %v: %d FPDUs of %d, %d bytes skipped", c.crc, c.strict, len(d.fpdus), n, d.skipped)
			}
		}
	}
}

// TestHuntTooLittle: one FPDU without a CRC is not enough even at the end of the
// stream, two are.
func TestHuntTooLittle(t *testing.T) {
	for _, c := range []struct {
		crc  crcKind
		n    int
		want int
	}{{zeroCRC, 1, 0}, {junkCRC, 1, 0}, {zeroCRC, 2, 2}, {junkCRC, 2, 2}, {rightCRC, 1, 1}} {
		s := newSender(false, c.crc, 1)
		for range c.n {
			s.fpdu(s.untagged(3, 0, s.bytes(100)))
		}
		d, f := hunted(t, false, append(make([]byte, 51), s.stream...))
		f.Flush()
		if len(d.fpdus) != c.want || d.next != f.Position() {
			t.Errorf("CRC %d: %d FPDUs of %d came, want %d; %d bytes told of", c.crc, len(d.fpdus), c.n, c.want, d.next)
		}
	}
}

// TestHuntDecoy plants a tagged header in a payload, with a length that leads
// right to the end of the FPDU around it, so that all after it is true.
func TestHuntDecoy(t *testing.T) {
	for _, crc := range []crcKind{zeroCRC, junkCRC, rightCRC} {
		for _, strict := range []bool{false, true} {
			s := newSender(false, crc, 9)
			payload := s.bytes(600)
			const at = 200 // of the decoy: its FPDU ends where the one around it does
			binary.BigEndian.PutUint16(payload[at:], uint16(len(payload)-at-2))
			copy(payload[at+2:], []byte{0x81, 0x40, 0xde, 0xad, 0xbe, 0xef, 0, 0, 0, 0, 0, 0, 0x10, 0})
			s.fpdu(s.tagged(0, true, payload))
			for range 30 {
				s.fpdu(s.untagged(3, 0, s.bytes(100)))
			}
			began := 2 + TaggedSize + 100 // in the middle of the payload
			d, _ := hunted(t, strict, s.stream[began:])
			came := d.compare(s, began)
			if came[0] || !came[1] || len(d.fpdus) != 30 {
				t.Errorf("CRC %d, strict %v: the first are %v, %d in all", crc, strict, came[:3], len(d.fpdus))
			}
		}
	}
}

// TestHuntMarkers begins at each of the first 600 bytes of a stream with
// markers: where they stand is found out.
func TestHuntMarkers(t *testing.T) {
	for _, crc := range []crcKind{rightCRC, zeroCRC} {
		s := newSender(true, crc, 11).any(60, 1400)
		missed := 0
		for began := 1; began <= 600; began++ {
			d, f := hunted(t, began%2 == 0, s.stream[began:])
			f.Flush()
			came := d.compare(s, began)
			for i := range came {
				if s.sent[i].at >= began && !came[i] {
					missed++
				}
			}
			if !f.marking.on || (f.marking.phase+uint64(began))%512 != 0 {
				t.Fatalf("CRC %d, from %d on: %+v", crc, began, f.marking)
			}
		}
		t.Logf("CRC %d: %d FPDUs missed in 600 hunts", crc, missed)
		if missed > 60 {
			t.Errorf("CRC %d: %d FPDUs missed", crc, missed)
		}
	}
}

// TestHuntElsewhere: what is not iWARP never is, and a strict hunt says so.
func TestHuntElsewhere(t *testing.T) {
	s := newSender(false, rightCRC, 13)
	record := []byte("GET /AC/AD/AE/index.html HTTP/1.1\r\nHost: example.com\r\n\r\n")
	for name, stream := range map[string][]byte{
		"text":  bytes.Repeat(record, 4000),
		"noise": s.bytes(200_000),
		"zeros": make([]byte, 200_000),
		"ones":  bytes.Repeat([]byte{0xff}, 200_000),
	} {
		d, f := hunted(t, true, stream)
		if !f.Failed() || f.Synchronized() || d.next != 0 || f.Held() != f.Position() || f.kept.buf != nil {
			t.Errorf("%s: failed %v, %d FPDUs, %d skipped", name, f.Failed(), len(d.fpdus), d.skipped)
		}
		f.Data(stream)
		if f.Flush(); f.Position() != uint64(2*len(stream)) || d.next != 0 {
			t.Errorf("%s: at %d, %d bytes told of", name, f.Position(), d.next)
		}
		d, f = hunted(t, false, stream)
		if f.Flush(); len(d.fpdus) > 0 || d.skipped != f.Position() || d.gaps != 1 || f.Failed() {
			t.Errorf("%s: %d FPDUs, %d bytes skipped of %d", name, len(d.fpdus), d.skipped, f.Position())
		}
	}
}

// TestHuntDistrust: a sender that does not keep to what was settled is not lost
// for good.
func TestHuntDistrust(t *testing.T) {
	for _, c := range []struct {
		name           string
		markers, wants bool
		crc            crcKind
	}{
		{"markers that were not asked for", true, false, rightCRC},
		{"no markers although they were", false, true, rightCRC},
		{"no CRCs although they are in use", false, false, zeroCRC},
	} {
		s := newSender(c.markers, c.crc, 17)
		s.any(6000, 400)
		d, f := &record{t: t}, new(Framer)
		f.Start(d, c.wants, CRCUsed)
		f.Data([]byte{0, 0xff, 0xff, 0xff}) // out of step at once
		f.Data(s.stream)
		whole := d.whole()
		if !f.Synchronized() || len(whole) < 500 {
			t.Errorf("%s: in step %v, %d FPDUs, markers %+v", c.name, f.Synchronized(), len(whole), f.marking)
		}
		last := s.sent[len(s.sent)-1]
		if len(whole) > 0 && whole[len(whole)-1].At != uint64(last.at+4) {
			t.Errorf("%s: the last one is at %d, want %d", c.name, whole[len(whole)-1].At, last.at+4)
		}
	}
}

// TestHuntIsBounded feeds what looks like FPDUs everywhere, in calls of all
// lengths: what is kept stays within its bounds.
func TestHuntIsBounded(t *testing.T) {
	s := newSender(false, junkCRC, 19)
	stream := make([]byte, 1<<20)
	for at := 0; at+20 <= len(stream); at += 20 {
		binary.BigEndian.PutUint16(stream[at:], uint16(20*(1+s.rnd.IntN(3000))-6))
		copy(stream[at+2:], []byte{0x81, 0x40})
		binary.BigEndian.PutUint32(stream[at+4:], s.rnd.Uint32())
	}
	for _, call := range []int{len(stream), 1448, 20} {
		for _, use := range []CRCUse{CRCUnknown, CRCUsed} {
			d, f := &record{t: t}, new(Framer)
			f.Hunt(d, use, use == CRCUsed)
			for at := 0; at < len(stream); at += call {
				f.Data(stream[at:min(at+call, len(stream))])
				if n := len(f.kept.buf); n > 2*(maxChain+chunk) {
					t.Fatalf("%d bytes are kept", n)
				}
			}
		}
	}
}

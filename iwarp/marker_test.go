package iwarp

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// TestLayout lays out one FPDU of each length at each place between two markers,
// and holds it against what the sender of the tests writes there.
func TestLayout(t *testing.T) {
	m := marking{on: true}
	var dst [65535]byte
	for place := 0; place < 512; place += 4 {
		for _, length := range []int{0, 1, 2, 3, 14, 18, 46, 434, 480, 498, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 1010, 1014, 1018, 1460} {
			s := newSender(true, zeroCRC, 1)
			s.stream = make([]byte, place)
			s.fpdu(s.bytes(length))
			f := s.sent[0]
			b := s.stream[f.at:]
			l, ok := m.measure(uint64(place), b)
			if !ok || l.total != len(b) || l.ulpduLength != length || l.marker != f.firstMarker {
				t.Fatalf("%d bytes at %d: %+v, %v, want %d bytes, first marker %d", length, place, l, ok, len(b), f.firstMarker)
			}
			if got := l.ulpdu(b, dst[:], length); !bytes.Equal(got, f.ulpdu) {
				t.Fatalf("%d bytes at %d: ULPDU\n%x, want\n%x", length, place, got, f.ulpdu)
			}
			if header := l.ulpdu(b[:l.reach()], dst[:], UntaggedSize); len(header) != min(length, UntaggedSize) {
				t.Fatalf("%d bytes at %d: a header of %d bytes within %d", length, place, len(header), l.reach())
			}
			if n, fault := l.checkMarkers(b); fault.Bad() || n != markersIn(place, place+len(b)) {
				t.Fatalf("%d bytes at %d: %d markers, %v", length, place, n, fault)
			}
		}
	}
}

func markersIn(from, to int) (n int) {
	for at := from; at < to; at++ {
		if at%512 == 0 {
			n++
		}
	}
	return n
}

// TestLayoutCut: what is missing at the end is missing, and nothing else.
func TestLayoutCut(t *testing.T) {
	for _, m := range []marking{{}, {on: true}, {on: true, phase: 8}, {on: true, phase: 20}} {
		s := newSender(m.on, zeroCRC, 1)
		s.stream = make([]byte, -int(m.phase)&511)
		s.fpdu(s.bytes(1200))
		b := s.stream[s.sent[0].at:]
		for n := range b {
			l, ok := m.measure(0, b[:n])
			if ok != (n >= l.start+2) {
				t.Fatalf("%+v: laid out %v with %d bytes", m, ok, n)
			}
			if !ok {
				continue
			}
			got := l.ulpdu(b[:n], nil, l.ulpduLength)
			if !bytes.Equal(got, s.sent[0].ulpdu[:len(got)]) || n == len(b)-8 && len(got) < 1198 {
				t.Fatalf("%+v, %d bytes: a ULPDU of %d that is not the one sent", m, n, len(got))
			}
			if markers, fault := l.checkMarkers(b[:n]); fault.Bad() || markers > 3 {
				t.Fatalf("%+v, %d bytes: %d markers, %v", m, n, markers, fault)
			}
		}
	}
}

func TestLongest(t *testing.T) {
	b := []byte{0, 0, 0, 0, 0xff, 0xff}
	if l, ok := (marking{on: true}).measure(0, b); !ok || l.total != maxFPDU {
		t.Errorf("%+v, want %d bytes", l, maxFPDU)
	}
}

func TestMarkerFaults(t *testing.T) {
	s := newSender(true, zeroCRC, 1)
	s.fpdu(s.bytes(1200)) // markers at 0, 512, 1024
	for _, c := range []struct {
		at    int
		value uint32
		n     int
		want  field.Fault
	}{
		{0, 0, 3, field.Fault{}},
		{0, 4, 0, field.Fault{Offset: 2, Reason: faultMarkerPointer}},
		{0, 0x00010000, 0, field.Fault{Offset: 0, Reason: faultMarkerReserved}},
		{512, 512, 1, field.Fault{Offset: 514, Reason: faultMarkerPointer}},
		{512, 509, 1, field.Fault{Offset: 515, Reason: faultMarkerLowBits}},
		{1024, 0x01000000 | 1020, 2, field.Fault{Offset: 1024, Reason: faultMarkerReserved}},
	} {
		b := bytes.Clone(s.stream)
		binary.BigEndian.PutUint32(b[c.at:], c.value)
		l, _ := marking{on: true}.measure(0, b)
		if n, fault := l.checkMarkers(b); n != c.n || fault != c.want {
			t.Errorf("%#08x at %d: %d right, %v, want %d, %v", c.value, c.at, n, fault, c.n, c.want)
		}
		d := &record{t: t}
		var f Framer
		f.Start(d, true, CRCUnused)
		f.Data(b)
		// The ULPDU is noise here, so the end of the stream has to speak for it.
		if f.Flush(); len(d.fpdus) != 1 || d.fpdus[0].Fault != c.want {
			t.Errorf("%#08x at %d: handed on as %+v", c.value, c.at, d.fpdus)
		}
	}
}

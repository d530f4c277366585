package story

import "testing"

// TestSpan holds which places are of an RPC, also where numbers begin again with 0.
func TestSpan(t *testing.T) {
	var s span
	if s.has(psn(5)) {
		t.Error("it has a PSN before it has any")
	}
	for _, n := range []uint32{0xfffffe, 0x000002, 0xfffffd} {
		s.take(psn(n))
	}
	for n, want := range map[uint32]bool{0xfffffc: false, 0xfffffd: true, 0xffffff: true, 0: true, 2: true, 3: false, 0x800000: false} {
		if s.has(psn(n)) != want {
			t.Errorf("PSN %#x: %v, want %v", n, s.has(psn(n)), want)
		}
	}
	var tcp span
	tcp.take(0xfffffff0)
	tcp.take(0x20)
	for n, want := range map[place]bool{0xffffffef: false, 0xfffffff0: true, 0: true, 0x20: true, 0x21: false} {
		if tcp.has(n) != want {
			t.Errorf("sequence number %#x: %v, want %v", uint32(n), tcp.has(n), want)
		}
	}
}

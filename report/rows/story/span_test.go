package story

import "testing"

// TestSpan holds which places are of an RPC, also where numbers begin again with 0.
func TestSpan(t *testing.T) {
	var s span
	if s.has(psn(5)) || s.covers(psn(5)) || s.ends(psn(5)) {
		t.Error("it has a PSN before it has any")
	}
	for _, n := range []uint32{0xfffffe, 0x000002, 0xfffffd} {
		s.take(psn(n), psn(n))
	}
	for n, want := range map[uint32]bool{0xfffffc: false, 0xfffffd: true, 0xffffff: false, 0: false, 2: true, 3: false} {
		if s.has(psn(n)) != want || s.ends(psn(n)) != want {
			t.Errorf("PSN %#x: %v, want %v", n, s.has(psn(n)), want)
		}
	}
	for n, want := range map[uint32]bool{0xfffffe: false, 1: false, 2: true, 3: true, 0x100: true} {
		if s.covers(psn(n)) != want {
			t.Errorf("up to PSN %#x: %v, want %v", n, s.covers(psn(n)), want)
		}
	}
	var tcp span
	tcp.take(0xfffffff0, 0x0f) // 32 bytes
	if !tcp.has(0xfffffff0) || tcp.has(0) || !tcp.ends(0x0f) || tcp.covers(0x0e) || !tcp.covers(0x0f) {
		t.Errorf("%+v", tcp)
	}
}

package trail

import "testing"

// TestSpan holds which places are of an RPC, also where numbers begin again with 0.
func TestSpan(t *testing.T) {
	var s span
	has := func(n uint32) bool { return s.has(psn(n), lastOf(n)) }
	if has(5) || s.covers(lastOf(5)) {
		t.Error("it has a PSN before it has any")
	}
	for _, n := range []uint32{0xfffffe, 0x000002, 0xfffffd} {
		s.extend(psn(n), lastOf(n))
	}
	for n, want := range map[uint32]bool{0xfffffc: false, 0xfffffd: true, 0xfffffe: true, 0xffffff: false, 0: false, 2: true, 3: false} {
		if has(n) != want {
			t.Errorf("PSN %#x: %v, want %v", n, has(n), want)
		}
	}
	for n, want := range map[uint32]bool{0xfffffe: false, 1: false, 2: true, 3: true, 0x100: true} {
		if s.covers(lastOf(n)) != want {
			t.Errorf("up to PSN %#x: %v, want %v", n, s.covers(lastOf(n)), want)
		}
	}
	var tcp span
	tcp.extend(0xfffffff0, 0x0f) // 32 bytes
	if !tcp.has(0xfffffff0, 0xfffffff0) || !tcp.has(0, 5) || !tcp.has(0x0f, 0x20) || tcp.has(0x10, 0x20) || tcp.covers(0x0e) || !tcp.covers(0x0f) {
		t.Errorf("%+v", tcp)
	}
}

// TestSpanAcknowledged holds that what acknowledges the newest frame does so once.
func TestSpanAcknowledged(t *testing.T) {
	var s span
	if s.acknowledge(lastOf(9)) {
		t.Error("nothing is acknowledged")
	}
	s.extend(psn(4), lastOf(4))
	for i, want := range []bool{false, true, false} {
		if got := s.acknowledge(lastOf(uint32(3 + i))); got != want {
			t.Errorf("PSN %d: %v, want %v", 3+i, got, want)
		}
	}
}

// TestSpanBounded holds that it remembers the newest of many runs, and no more than so many.
func TestSpanBounded(t *testing.T) {
	var s span
	for n := range uint32(4 * mostRuns) {
		s.extend(psn(2*n), lastOf(2*n))
	}
	newest := uint32(2 * (4*mostRuns - 1))
	oldest := newest - 2*(mostRuns-1)
	if len(s.runs) != mostRuns || !s.has(psn(newest), lastOf(newest)) || !s.has(psn(oldest), lastOf(oldest)) || s.has(psn(oldest-2), lastOf(oldest-2)) {
		t.Errorf("%d runs, from %v to %v", len(s.runs), s.runs[0], s.runs[len(s.runs)-1])
	}
}

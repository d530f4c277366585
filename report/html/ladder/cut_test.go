package ladder

import "testing"

// linesOf are n lines a microsecond apart, of a frame each, but for some that come later.
func linesOf(n int, later map[int]int64) (list []line) {
	now := int64(0)
	for i := range n {
		now += 1000 + later[i]
		s := &Step{time: now}
		list = append(list, line{first: s, last: s, frames: 1})
	}
	return list
}

// TestCut holds that a long ladder keeps its ends, its pauses and what findings are about, and counts
// what it leaves out where that was.
func TestCut(t *testing.T) {
	const n, most = 1000, 160
	later := map[int]int64{300: 2e9, 500: 3e9, 900: 1e9}
	for i := range 20 {
		later[600+5*i] = foldPause // more than are kept
	}
	lines := linesOf(n, later)
	lines[400].bad = "SYM-002"
	times := make(map[int64]int)
	for i, x := range lines {
		times[x.first.time] = i
	}
	out := cut(lines, most)
	if len(out) != most {
		t.Errorf("%d lines stay, want %d", len(out), most)
	}
	stay, next := make(map[int]bool), 0
	for _, x := range out {
		i := times[x.first.time]
		if x.hidden != i-next {
			t.Errorf("before line %d, %d frames are said to be left out, want %d", i, x.hidden, i-next)
		}
		stay[i], next = true, i+1
	}
	for _, i := range []int{0, 50, 299, 300, 400, 499, 500, 899, 900, 990, n - 1} {
		if !stay[i] {
			t.Errorf("line %d is left out", i)
		}
	}
	pauses := 0
	for i := range later {
		if stay[i] && stay[i-1] {
			pauses++
		}
	}
	if pauses != keptPauses {
		t.Errorf("%d pauses stay, want %d", pauses, keptPauses)
	}
}

// TestCutShort holds that a ladder that is short enough stays as it is, also if all of it is pauses.
func TestCutShort(t *testing.T) {
	later := make(map[int]int64)
	for i := range 160 {
		later[i] = 1e9
	}
	if got := cut(linesOf(160, later), 160); len(got) != 160 {
		t.Errorf("%d lines stay", len(got))
	}
}

package capture

import (
	"strings"
	"testing"
)

// TestLeftOut holds what is taken of the comment on a frame after others that were left out.
func TestLeftOut(t *testing.T) {
	for _, begins := range []int{-1, 0, 17, 1<<16 - 1} {
		var e Extra
		e.leftOut(string(AppendLeftOut(nil, begins)))
		f := Frame{Extra: &e}
		if !f.LeftOut() || f.Begins() != begins {
			t.Errorf("%d: left out %v, an FPDU at %d", begins, f.LeftOut(), f.Begins())
		}
	}
	whole := string(AppendLeftOut(nil, 17))
	for comment, want := range map[string]int{
		strings.Replace(whole, "17", "65536", 1): -1,
		strings.Replace(whole, "17", "-3", 1):    -1,
		strings.Replace(whole, "17", "x", 1):     -1,
		LeftOutComment + ", as somebody said":    -1,
	} {
		var e Extra
		e.leftOut(comment)
		f := Frame{Extra: &e}
		if !f.LeftOut() || f.Begins() != want {
			t.Errorf("%q: left out %v, an FPDU at %d", comment, f.LeftOut(), f.Begins())
		}
	}
	var e Extra
	e.leftOut("said: " + whole)
	if f := (Frame{Extra: &e}); f.LeftOut() || f.Begins() != -1 || (&Frame{}).LeftOut() || (&Frame{}).Begins() != -1 {
		t.Error("another comment says so")
	}
}

package watch

import (
	"math"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/latency"
)

// TestWindow counts ten calls a second of 1000 bytes, each answered in 1 ms, for ten seconds,
// and one of 80 ms in the third, and looks at the rates at several times.
func TestWindow(t *testing.T) {
	const s, began = int64(time.Second), int64(1_000_000) * int64(time.Second)
	var w window
	var sum latency.Histogram
	at := 0
	for _, c := range []struct {
		ms       int64 // since it began
		span     int64
		calls    float64
		answered int64
		max      int64
		mostOpen int
		toServer float64
		quiet    bool
		what     string
	}{
		{450, Span, 5, 5, 1e6, 1, 5000, false, "less than a second is one"},
		{1950, Span, 20 / 1.95, 20, 1e6, 1, 20000 / 1.95, false, "as long as there is"},
		{3950, Span, 40 / 3.95, 41, 80e6, 7, 40000 / 3.95, false, "with a slow one"},
		{3950, 1, 20 / 1.95, 21, 80e6, 7, 20000 / 1.95, false, "that second and the one before"},
		{4950, 1, 20 / 1.95, 20, 1e6, 1, 20000 / 1.95, false, "without the slow one"},
		{7950, Span, 60 / 5.95, 61, 80e6, 7, 60000 / 5.95, false, "it is in the window"},
		{8950, Span, 60 / 5.95, 60, 1e6, 1, 60000 / 5.95, false, "and now no more"},
		{12000, Span, 30.0 / 5, 30, 1e6, 1, 30000.0 / 5, false, "nothing comes"},
		{17000, Span, 0, 0, 0, 0, 0, true, "for long"},
	} {
		for ; int64(at)*100 <= min(c.ms, 9900); at++ {
			x := w.at(began + int64(at)*s/10)
			x.calls++
			x.carried(1000, true)
			x.latency.Add(1e6)
			x.mostOpen = max(x.mostOpen, 1)
			if at == 25 {
				x.latency.Add(80e6)
				x.mostOpen = 7
			}
		}
		f := w.figures(began+c.ms*1e6, began, c.span, &sum)
		if math.Abs(f.Calls-c.calls) > 0.01 || math.Abs(f.ToServer-c.toServer) > 1 || f.ToClient != 0 || f.Answered != c.answered ||
			f.Max != c.max || f.MostOpen != c.mostOpen || f.Quiet != c.quiet {
			t.Errorf("%s, at %d ms: %+v, want %+v", c.what, c.ms, f, c)
		}
	}
}

package finding

import (
	"slices"
	"testing"
)

// TestStretchesKeepTheLongest holds that a finding keeps a bounded number of stretches: the longest, in their order.
func TestStretchesKeepTheLongest(t *testing.T) {
	f := new(Finding)
	if got := f.Stretches.All(); got != nil {
		t.Errorf("a finding about a moment has %v", got)
	}
	const more = 10
	for i := range int64(MostStretches + more) {
		// The later, the longer; and not in the order of their beginnings.
		f.Spans(1_000_000-1000*i, 1_000_000-1000*i+i+1)
	}
	f.Spans(0, 1) // shorter than all that are kept
	list := f.Stretches.All()
	if len(list) != MostStretches {
		t.Fatalf("%d stretches are kept, want %d", len(list), MostStretches)
	}
	if !slices.IsSortedFunc(list, func(a, b Stretch) int { return int(a.From - b.From) }) {
		t.Error("the stretches are not in the order of their beginnings")
	}
	for _, s := range list {
		if s.To-s.From <= more {
			t.Errorf("%v is kept, which is shorter than one that is not", s)
		}
	}
}

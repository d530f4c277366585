package latency_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/latency"
)

// TestBuckets holds the bounds of buckets: a latency on one is in it. What was counted apart
// and is merged is the same as if it had been counted at once.
func TestBuckets(t *testing.T) {
	bounds := latency.Bounds()
	if !slices.IsSorted(bounds) {
		t.Fatalf("bounds %v are not in order", bounds)
	}
	var all, on, above latency.Buckets
	sum := int64(0)
	for _, b := range bounds {
		all.Add(b)
		all.Add(b + 1)
		on.Add(b)
		above.Add(b + 1)
		sum += b + b + 1
	}
	for i, n := range all.Within() {
		if want := int64(2*i + 1); n != want {
			t.Errorf("%d are within %d ns, want %d", n, bounds[i], want)
		}
	}
	if all.Count != int64(2*len(bounds)) || all.Sum != sum {
		t.Errorf("%d counted of %d ns, want %d of %d", all.Count, all.Sum, 2*len(bounds), sum)
	}
	if on.Merge(&above); on != all {
		t.Errorf("counted apart they are %+v, want %+v", on, all)
	}
}

// TestBoundsAreApart holds that nobody changes the bounds for others.
func TestBoundsAreApart(t *testing.T) {
	clear(latency.Bounds())
	if b := latency.Bounds(); b[0] == 0 {
		t.Error("the bounds are those that were cleared")
	}
}

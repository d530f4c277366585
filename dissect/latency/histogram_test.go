package latency_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/latency"
)

// exactly is the percentile of nearest rank, out of all values in order: the first
// that p percent do not exceed.
func exactly(sorted []int64, p int) int64 {
	for i, v := range sorted {
		if (i+1)*100 >= p*len(sorted) {
			return v
		}
	}
	panic("p is more than 100")
}

// TestPercentiles holds percentiles against those of all values in order, for
// latencies of several shapes and numbers.
func TestPercentiles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, next := range map[string]func() int64{
		"the same":     func() int64 { return 44_321_987 },
		"a few":        func() int64 { return rnd.Int64N(100) },
		"uniform":      func() int64 { return rnd.Int64N(50_000_000) },
		"exponential":  func() int64 { return int64(rnd.ExpFloat64() * 120_000) },
		"two humps":    func() int64 { return 20_000 + rnd.Int64N(9000) + rnd.Int64N(10)/9*40_000_000 },
		"any octave":   func() int64 { return rnd.Int64N(1 << (1 + rnd.IntN(48))) },
		"powers of 2":  func() int64 { return 1 << rnd.IntN(48) },
		"and one less": func() int64 { return 1<<rnd.IntN(48) - 1 },
	} {
		for _, n := range []int{1, 2, 3, 4, 10, 99, 100, 101, 5000} {
			var h, front, back latency.Histogram
			var all []int64
			for i := range n {
				v := next()
				all = append(all, v)
				h.Add(v)
				if i%3 == 0 {
					front.Add(v)
				} else {
					back.Add(v)
				}
			}
			slices.Sort(all)
			front.Merge(&back)
			if h.Count != int64(n) || h.Min != all[0] || h.Max != all[n-1] {
				t.Errorf("%s: %d latencies from %d to %d, want %d from %d to %d", name, h.Count, h.Min, h.Max, n, all[0], all[n-1])
			}
			for p := range 101 {
				want, got := exactly(all, p), h.Percentile(p)
				off := math.Abs(float64(got - want))
				if off > float64(want)/128 || want < 128 && off != 0 {
					t.Errorf("%s: percentile %d of %d is %d, want %d", name, p, n, got, want)
				}
				if merged := front.Percentile(p); merged != got {
					t.Errorf("%s: percentile %d of %d is %d, of two halves merged %d", name, p, n, got, merged)
				}
			}
		}
	}
}

// TestLongestLatencies holds that nothing is too long to be counted.
func TestLongestLatencies(t *testing.T) {
	var h, empty latency.Histogram
	if empty.Percentile(50) != 0 {
		t.Error("an empty histogram has a median")
	}
	for _, v := range []int64{0, 1<<48 - 1, 1 << 48, math.MaxInt64 - 1, math.MaxInt64} {
		h.Add(v)
	}
	h.Merge(&empty)
	empty.Merge(&h)
	if empty.Count != 5 || empty.Min != 0 || empty.Max != math.MaxInt64 || empty.Percentile(100) != math.MaxInt64 || empty.Percentile(1) != 0 {
		t.Errorf("%d latencies from %d to %d", empty.Count, empty.Min, empty.Max)
	}
	if got := empty.Percentile(50); float64(got) < (1<<48)*127./128 || got > 1<<48 {
		t.Errorf("median %d, want that of more than three days", got)
	}
}

func FuzzHistogram(f *testing.F) {
	f.Add(int64(0), int64(63), int64(64))
	f.Add(int64(127), int64(128), int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, a, b, c int64) {
		var h latency.Histogram
		all := []int64{a & math.MaxInt64, b & math.MaxInt64, c & math.MaxInt64}
		for _, v := range all {
			h.Add(v)
		}
		slices.Sort(all)
		const longest = 1<<48 - 1
		want, got := min(all[1], longest), h.Percentile(50)
		if d := math.Abs(float64(got - want)); d > float64(want)/128 && all[0] <= longest {
			t.Errorf("median of %d is %d", all, got)
		}
		if h.Percentile(0) != all[0] || h.Percentile(100) != all[2] {
			t.Errorf("of %d, the least is %d, the greatest %d", all, h.Percentile(0), h.Percentile(100))
		}
	})
}

// TestReset holds that an emptied Histogram is as good as a new one, and keeps its memory.
func TestReset(t *testing.T) {
	var h latency.Histogram
	for _, ns := range []int64{3, 70_000, 5_000_000_000} {
		h.Add(ns)
	}
	h.Reset()
	if h.Count != 0 || h.Min != 0 || h.Max != 0 || h.Percentile(50) != 0 {
		t.Errorf("there is something left: %d from %d to %d", h.Count, h.Min, h.Max)
	}
	if n := testing.AllocsPerRun(100, func() { h.Add(70_000) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if got := h.Percentile(99); got != 70_000 {
		t.Errorf("the 99th percentile is %d", got)
	}
}

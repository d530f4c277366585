// Package latency counts how long things took, in little memory for any number of them.
// Statistics tell percentiles of it, live views too, and a rule knows by it what is usual.
package latency

import "math/bits"

const (
	// steps is in how many buckets an octave is cut, from one power of two to the
	// next. A percentile is told as the middle of its bucket, and so is off by
	// at most half a bucket: 1/128 of itself, which is 0.8 %.
	steps     = 1 << stepsBits
	stepsBits = 6
	// longest is the longest latency that has a bucket of its own, in
	// nanoseconds: a little more than three days.
	longest = 1<<48 - 1
	// pages is how many octaves there are; the first has all below steps.
	pages = 48 - stepsBits + 1
)

// A Histogram counts latencies in nanoseconds, so that percentiles of any number
// of them take little memory: 512 bytes an octave that has some. Min and Max are
// exact, a percentile is at most 1/128 off (0.8 %), and exact below 128 ns. The
// zero Histogram is empty.
type Histogram struct {
	// Count is how many latencies were added.
	Count int64
	// Min and Max are the shortest and the longest, in nanoseconds; 0 if there
	// are none.
	Min, Max int64

	pages [pages]*[steps]int64
}

// Add counts a latency in nanoseconds, which is not negative.
func (h *Histogram) Add(ns int64) {
	if h.Count == 0 {
		h.Min, h.Max = ns, ns
	}
	h.Count++
	h.Min, h.Max = min(h.Min, ns), max(h.Max, ns)
	page, step := bucket(ns)
	if h.pages[page] == nil {
		h.pages[page] = new([steps]int64)
	}
	h.pages[page][step]++
}

// Reset empties the Histogram, which keeps its memory for what is added next.
func (h *Histogram) Reset() {
	h.Count, h.Min, h.Max = 0, 0, 0
	for _, counts := range h.pages {
		if counts != nil {
			clear(counts[:])
		}
	}
}

// bucket is where a latency is counted.
func bucket(ns int64) (page, step int) {
	v := uint64(min(ns, longest))
	if v < steps {
		return 0, int(v)
	}
	shift := bits.Len64(v) - 1 - stepsBits
	return 1 + shift, int(v>>shift) - steps
}

// middle is the latency that stands for a bucket.
func middle(page, step int) int64 {
	if page == 0 {
		return int64(step)
	}
	shift := page - 1
	return int64(steps+step)<<shift + int64(1)<<shift/2
}

// Percentile is the latency in nanoseconds that p percent of all do not exceed,
// the nearest rank: of four, the second is the 50th percentile. It is 0 if there
// are none.
func (h *Histogram) Percentile(p int) int64 {
	rank := (h.Count*int64(p) + 99) / 100
	switch {
	case rank <= 1:
		return h.Min
	case rank >= h.Count:
		return h.Max
	}
	for page, counts := range h.pages {
		if counts == nil {
			continue
		}
		for step, n := range counts {
			if rank -= n; rank <= 0 {
				return min(max(middle(page, step), h.Min), h.Max)
			}
		}
	}
	return h.Max
}

// Merge adds the latencies of another.
func (h *Histogram) Merge(o *Histogram) {
	switch {
	case o.Count == 0:
		return
	case h.Count == 0:
		h.Min, h.Max = o.Min, o.Max
	}
	h.Count += o.Count
	h.Min, h.Max = min(h.Min, o.Min), max(h.Max, o.Max)
	for page, counts := range o.pages {
		if counts == nil {
			continue
		}
		if h.pages[page] == nil {
			h.pages[page] = new([steps]int64)
		}
		for step, n := range counts {
			h.pages[page][step] += n
		}
	}
}

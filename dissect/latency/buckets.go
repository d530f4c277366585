package latency

import "slices"

// bounds are those of Buckets, in nanoseconds.
var bounds = [...]int64{
	10e3, 20e3, 50e3, 100e3, 200e3, 500e3, // 10 µs
	1e6, 2e6, 5e6, 10e6, 20e6, 50e6, 100e6, 200e6, 500e6, // 1 ms
	1e9, 2e9, 5e9, 10e9, 30e9, // 1 s
}

// Bounds are those of Buckets, in nanoseconds and in order. The caller may change the slice.
func Bounds() []int64 { return slices.Clone(bounds[:]) }

// Buckets count latencies in nanoseconds up to Bounds, exactly: as Prometheus wants them,
// whose bounds are the same for all. A Histogram tells percentiles, and knows no bound
// exactly. The zero Buckets are empty, and may be copied.
type Buckets struct {
	// Count is how many latencies were added, Sum what they make together, in nanoseconds.
	Count, Sum int64

	counts [len(bounds)]int64 // of those above the bound before
}

// Add counts a latency in nanoseconds.
func (b *Buckets) Add(ns int64) {
	b.Count++
	b.Sum += ns
	if i, _ := slices.BinarySearch(bounds[:], ns); i < len(bounds) {
		b.counts[i]++
	}
}

// Merge adds the latencies of others.
func (b *Buckets) Merge(o *Buckets) {
	b.Count += o.Count
	b.Sum += o.Sum
	for i, n := range o.counts {
		b.counts[i] += n
	}
}

// Within is how many latencies do not exceed each of Bounds.
func (b *Buckets) Within() [len(bounds)]int64 {
	within := b.counts
	for i := 1; i < len(within); i++ {
		within[i] += within[i-1]
	}
	return within
}

package watch

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/latency"
)

const (
	// Span is how many seconds figures are about.
	Span = 5
	// slots is those, and the second that has begun.
	slots = Span + 1
)

// A window counts what happened in the last seconds.
type window [slots]slot

// A slot is what happened in one second.
type slot struct {
	second             int64 // since 1970
	calls              int64
	toServer, toClient int64 // bytes on the wire
	mostOpen           int
	latency            latency.Histogram
}

// at is the slot of a time in nanoseconds since 1970.
func (w *window) at(ns int64) *slot {
	second := ns / 1e9
	s := &w[uint64(second)%slots]
	if s.second != second {
		s.second = second
		s.calls, s.toServer, s.toClient, s.mostOpen = 0, 0, 0, 0
		if s.latency.Count > 0 {
			s.latency.Reset()
		}
	}
	return s
}

// Figures are what came in some seconds.
type Figures struct {
	// Calls, ToServer and ToClient are a second's, the last two bytes on the wire.
	Calls, ToServer, ToClient float64
	// Answered counts the replies whose latencies, in nanoseconds, are the others; these are 0
	// without any.
	Answered      int64
	P50, P99, Max int64
	// MostOpen is the most calls at once without a reply.
	MostOpen int
	// Quiet says that nothing at all came.
	Quiet bool
}

// figures are those of so many seconds before now, in nanoseconds since 1970, and of what has
// passed of the second that now is in; since is when watching began. Latencies are put
// together in sum.
func (w *window) figures(now, since int64, seconds int64, sum *latency.Histogram) (f Figures) {
	newest := now / 1e9
	sum.Reset()
	f.Quiet = true
	for i := range w {
		s := &w[i]
		if s.second > newest || s.second < newest-seconds || s.second == 0 {
			continue
		}
		f.Calls += float64(s.calls)
		f.ToServer += float64(s.toServer)
		f.ToClient += float64(s.toClient)
		f.MostOpen = max(f.MostOpen, s.mostOpen)
		sum.Merge(&s.latency)
		f.Quiet = f.Quiet && s.calls == 0 && s.toServer == 0 && s.toClient == 0
	}
	// What is shorter than a second is not made more of than it was.
	passed := max(now-max(since, (newest-seconds)*1e9), int64(time.Second))
	f.Calls *= 1e9 / float64(passed)
	f.ToServer *= 1e9 / float64(passed)
	f.ToClient *= 1e9 / float64(passed)
	f.latencies(sum)
	return f
}

// latencies takes the percentiles.
func (f *Figures) latencies(h *latency.Histogram) {
	f.Answered, f.P50, f.P99, f.Max = h.Count, h.Percentile(50), h.Percentile(99), h.Max
}

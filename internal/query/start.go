package query

import (
	"sync/atomic"
	"time"

	"github.com/rdmacap/rdmacap/filter"
)

// A Start is when the captures begin: times are asked for as seconds since then. It is told before
// the first row, and may be asked by any goroutine.
type Start struct{ ns atomic.Int64 }

// Set tells the time of the first frame that has one, in nanoseconds since 1970.
func (s *Start) Set(ns int64) { s.ns.CompareAndSwap(0, ns) }

// Since is how long after the start a time is, in nanoseconds; false if one of them is not known.
func (s *Start) Since(ns int64) (int64, bool) {
	start := s.ns.Load()
	return ns - start, start != 0 && ns != 0
}

// addTimes adds when a row was captured: by the clock, and since the captures began.
func addTimes[T any](l *list[T], start *Start, doc string, of func(T) int64) *Field {
	l.addField(filter.Field{Name: "frame.time_relative", Kind: filter.Duration, Seconds: true, Doc: doc + ", since the first frame"},
		func(row T, to *filter.Values) {
			if ns, known := start.Since(of(row)); known {
				to.Duration(time.Duration(ns))
			}
		})
	return l.one(filter.Field{Name: "frame.time", Kind: filter.Time, Doc: doc},
		func(row T) (uint64, bool) {
			ns := of(row)
			return uint64(ns), ns != 0
		})
}

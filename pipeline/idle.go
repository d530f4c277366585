package pipeline

import (
	"sync/atomic"
	"time"

	"github.com/rdmacap/rdmacap/capture"
)

// A quiet source notes since when its next frame is waited for, so that time goes by without frames: it is as late as
// the newest of them, and what has passed since.
type quiet struct {
	capture.Source
	ready  capture.Ready
	now    func() time.Time
	newest int64        // time of a frame, in nanoseconds since 1970
	until  atomic.Int64 // that of the newest when the waiting began
	since  atomic.Int64 // when that was, by the wall's clock; 0 while nobody waits
}

func newQuiet(source capture.Source, now func() time.Time) *quiet {
	ready, _ := source.(capture.Ready)
	return &quiet{Source: source, ready: ready, now: now}
}

// Next implements capture.Source.
func (q *quiet) Next(f *capture.Frame) error {
	waits := q.ready == nil || !q.ready.Ready()
	if waits && q.newest > 0 {
		q.until.Store(q.newest)
		q.since.Store(q.now().UnixNano())
	}
	err := q.Source.Next(f)
	if waits {
		q.since.Store(0)
	}
	if err == nil {
		q.newest = max(q.newest, f.Time)
	}
	return err
}

// Ready implements capture.Ready.
func (q *quiet) Ready() bool { return q.ready == nil || q.ready.Ready() }

// Keep implements capture.Keeper.
func (q *quiet) Keep(n int) bool {
	k, ok := q.Source.(capture.Keeper)
	return ok && k.Keep(n)
}

// quietAfter is for how long no frame has to have come before time goes by without them: an interface hands frames on
// in blocks.
const quietAfter = 500 * time.Millisecond

// time is how late it is, in nanoseconds since 1970; not ok unless a frame is waited for since quietAfter.
func (q *quiet) time() (ns int64, ok bool) {
	since, until := q.since.Load(), q.until.Load()
	waited := q.now().UnixNano() - since
	if since == 0 || waited < int64(quietAfter) {
		return 0, false
	}
	return until + waited, true
}

// tell sends how late it is whenever the clock ticks, until done.
func (q *quiet) tell(clock <-chan time.Time, to chan<- int64, done <-chan struct{}) {
	for {
		select {
		case <-clock:
		case <-done:
			return
		}
		if ns, ok := q.time(); ok {
			select {
			case to <- ns:
			case <-done:
				return
			}
		}
	}
}

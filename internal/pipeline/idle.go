package pipeline

import (
	"sync/atomic"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
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

// time is how late it is; not ok unless a frame is waited for since quietAfter.
func (q *quiet) time(now int64) (late dissect.Idle, ok bool) {
	since, until := q.since.Load(), q.until.Load()
	waited := now - since
	if since == 0 || waited < int64(quietAfter) {
		return late, false
	}
	return dissect.Idle{Newest: until, Now: until + waited}, true
}

// mostBetween is how much time may lie between two ticks of a clock that is looked at four times a second. Where it is more, the
// program or the machine stood still, or the clock was set: nobody knows what would have come meanwhile.
const mostBetween = 2 * time.Second

// startOver has the waiting begin now, if there is any.
func (q *quiet) startOver(now int64) {
	if since := q.since.Load(); since != 0 {
		q.since.CompareAndSwap(since, now)
	}
}

// run sends how late it is whenever the clock ticks, until done.
func (q *quiet) run(clock <-chan time.Time, to chan<- dissect.Idle, done <-chan struct{}) {
	var ticked, now int64 // by the wall's clock: a sleeping machine's monotonic one may stand still
	for {
		select {
		case t := <-clock:
			ticked, now = now, t.UnixNano()
		case <-done:
			return
		}
		if ticked != 0 && (now < ticked || now-ticked > int64(mostBetween)) {
			q.startOver(now)
		}
		if late, ok := q.time(now); ok {
			select {
			case to <- late:
			case <-done:
				return
			}
		}
	}
}

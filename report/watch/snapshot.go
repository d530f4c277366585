package watch

import (
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/finding"
)

// linger is how long the row of a connection that is over stays.
const linger = time.Minute

// A Snapshot is what a Watch had at a time. Taking one uses the memory of the last again.
type Snapshot struct {
	// Began and Time are the time of the first frame and what it is now, in nanoseconds
	// since 1970; 0 if no frame has come that has one.
	Began, Time int64
	// Over says that no more comes.
	Over bool
	// Rows are the connections, in the order in which they came; Unlisted are those that are open
	// and have no row, since there are too many; Dropped are those that have ended and have none any more.
	Rows              []Row
	Unlisted, Dropped int
	// Connections are how many came, Ended those that have ended.
	Connections, Ended int
	// Now are the figures of all of the last Span seconds, Second those of this second and
	// the one before.
	Now, Second Figures
	Losses
	Frames, Bytes, RPCs int64
	Findings            finding.Tally
	Drops               finding.Drops
	// Latest are the newest findings of all, the newest last.
	Latest []Finding
	// Detail is about the connection that was asked for.
	Detail Detail
}

// Detail is what is shown of one connection.
type Detail struct {
	// Found says that it is listed; without that nothing else counts.
	Found bool
	Row   Row
	// Since are the figures since it was first listed: latencies only.
	Since      Figures
	Operations []Operation
	RPCs       []RPC
	Findings   []Finding
}

// An Operation is what a connection's RPCs of one kind came to.
type Operation struct {
	Name                      string
	Calls, Unanswered, Failed int64
	Answered                  int64
	P50, P99, Max             int64 // nanoseconds
	ReadBytes, WriteBytes     uint64
}

// Snapshot fills s with what there is at a time of the wall. Of the connection with that
// number it takes more, with 0 of none.
func (w *Watch) Snapshot(s *Snapshot, wall time.Time, id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.clock.now(wall)
	w.expire(wall)
	s.Began, s.Time, s.Over = w.clock.first, now, w.clock.stopped
	s.Unlisted, s.Connections, s.Ended = w.unlisted, w.seen, w.over
	s.Dropped = w.seen - w.unlisted - len(w.rows)
	s.Now = w.window.figures(now, w.clock.first, Span, &w.sum)
	s.Second = w.window.figures(now, w.clock.first, 1, &w.sum)
	s.Losses = w.gone
	s.Frames, s.Bytes, s.RPCs = w.frames, w.bytes, w.rpcs
	s.Findings, s.Drops = w.tally, w.drops
	s.Latest = s.Latest[:0]
	for f := range w.findings.All() {
		s.Latest = append(s.Latest, *f)
	}
	s.Detail.Found = false
	s.Rows = s.Rows[:0]
	for _, r := range w.rows {
		s.Losses.addLosses(r.Losses)
		if w.opts.Filter != nil && !r.matched {
			continue
		}
		s.Rows = append(s.Rows, w.show(r, now))
		if r.ID == id {
			w.detail(&s.Detail, r)
			s.Detail.Row = s.Rows[len(s.Rows)-1]
		}
	}
}

// expire drops connections that have been over for long, while more may come.
func (w *Watch) expire(wall time.Time) {
	for i := 0; i < len(w.rows); {
		r := w.rows[i]
		switch {
		case r.conn != nil:
		case r.endedAt.IsZero():
			r.endedAt = wall
		case !w.clock.stopped && wall.Sub(r.endedAt) > linger:
			w.drop(i)
			continue
		}
		i++
	}
}

// show is a row as it is now.
func (w *Watch) show(r *row, now int64) Row {
	x := r.Row
	x.Now = r.window.figures(now, w.clock.first, Span, &w.sum)
	x.Now.MostOpen = max(x.Now.MostOpen, x.Open)
	if r.seen != 0 {
		x.Idle = time.Duration(max(0, now-r.seen))
	}
	return x
}

// detail takes more of a connection.
func (w *Watch) detail(d *Detail, r *row) {
	d.Found = true
	counted := r.over
	if r.conn != nil {
		counted = w.stats.Open(r.conn)
	}
	d.Operations = d.Operations[:0]
	w.sum.Reset()
	if counted != nil {
		list := counted.Table.Rows()
		if o := counted.Table.Others; o != nil {
			list = append(list, o)
		}
		for _, o := range list {
			w.sum.Merge(&o.Latency)
			d.Operations = append(d.Operations, operation(o))
		}
	}
	d.Since.latencies(&w.sum)
	d.RPCs = d.RPCs[:0]
	for l := range r.rpcs.All() {
		d.RPCs = append(d.RPCs, l.words())
	}
	d.Findings = slices.AppendSeq(d.Findings[:0], values(r))
}

func values(r *row) func(yield func(Finding) bool) {
	return func(yield func(Finding) bool) {
		for f := range r.findings.All() {
			if !yield(*f) {
				return
			}
		}
	}
}

func operation(o *stats.Operation) Operation {
	x := Operation{
		Name: o.Name, Calls: o.Calls, Unanswered: o.Unanswered, Answered: o.Latency.Count, Failed: o.Failed,
		P50: o.Latency.Percentile(50), P99: o.Latency.Percentile(99), Max: o.Latency.Max,
		ReadBytes: o.ReadBytes, WriteBytes: o.WriteBytes,
	}
	return x
}

package check

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A shard runs the rules over the connections of one shard. It is a dissect.Sink, an AccessSink
// and a Ticker: what its rules publish, and what forms are told before any finding, it keeps until
// that is put together.
type shard struct {
	c       *Check
	checker *rules.Checker
	d       *dissect.Dissector
	begun   bool  // there was a frame
	at      int64 // the frame of the capture that the Checker received
	// form writes, before connections are over, what drafts has; there is none if that is nil.
	form draft.Form
	rows *draft.Part
	now  *queue
	pool sync.Pool

	// The rest is for findings that are told at once.
	views  []ViewPart
	conn   *dissect.Connection // of the event
	copies bool                // a view receives findings later
	notes  []*notes            // that views take
}

// shard returns one of what d finds.
func (c *Check) shard(d *dissect.Dissector) *shard {
	s := &shard{c: c, checker: c.crossConnection.Checker(), d: d}
	if c.opts.Files > 1 {
		s.checker.Several()
	}
	s.pool.New = func() any { return &queue{c: c, pool: &s.pool} }
	s.now = s.pool.Get().(*queue)
	c.shards = append(c.shards, s)
	return s
}

// goLive has findings told, or drafted, at once.
func (s *shard) goLive() {
	for i := range s.c.opts.Views {
		v := &s.c.opts.Views[i]
		switch {
		case !v.ordered():
			s.views = append(s.views, v.Part())
			continue
		case v.Notes != nil:
			s.notes = append(s.notes, &notes{Notes: v.Notes(), shard: s, index: len(s.notes)})
		}
		s.copies = true
	}
	s.checker.WatchApart(s.newFindings, nil)
}

// Connection implements dissect.Sink.
func (s *shard) Connection(c *dissect.Connection, final bool) {
	s.conn = c
	at := s.here()
	if !final {
		s.starts(at, c.FirstTime)
		if s.form.Records != nil {
			s.form.Records.Announce(c)
			s.rows.Wrote()
			s.addItem(item{at: at})
		}
	}
	s.checker.Connection(c, final)
	s.addItem(item{at: at})
	if final && s.form.Records != nil {
		s.form.Records.Forget(c)
	}
}

// Frame implements dissect.Sink.
func (s *shard) Frame(v *dissect.FrameView) {
	s.conn = v.Connection
	at := s.here()
	if !s.begun {
		s.begun = true
		s.starts(at, v.Frame.Time)
	}
	s.checker.Frame(v)
	s.keep(at)
}

// starts reports the time of the first frame that the shard has, or of a connection.
func (s *shard) starts(at flow.Position, time int64) {
	if s.rows == nil {
		s.addItem(item{at: at, starts: true, time: time})
		return
	}
	starts(&s.form, time)
	s.rows.Wrote()
}

// Message implements dissect.Sink.
func (s *shard) Message(m *dissect.Message) {
	s.conn = m.Connection
	at := s.here()
	s.checker.Message(m)
	s.keep(at)
}

// RPC implements dissect.Sink.
func (s *shard) RPC(r *dissect.RPC) {
	s.conn = r.Connection
	at := s.here()
	s.checker.RPC(r)
	s.keep(at)
}

// Access implements dissect.AccessSink.
func (s *shard) Access(a *dissect.Access) {
	s.conn = a.Connection
	at := s.here()
	s.checker.Access(a)
	s.keep(at)
}

// Tick implements dissect.Ticker.
func (s *shard) Tick(now int64) {
	s.conn = nil
	at := s.here()
	s.checker.Idle(now)
	s.keep(at)
}

// here tells the Checker where in the capture it is.
func (s *shard) here() flow.Position {
	at := s.d.At()
	if at.Ordinal != s.at {
		s.at = at.Ordinal
		s.checker.At(at.Ordinal, s.d.Newest())
	}
	return at
}

// newFindings takes what the Checker reported in an event in which it reported or published anything. A finding
// changes later, and so it is drafted now. What CrossConnection says of what was published comes when that
// is put together, between the drafts of what was reported at the same event.
func (s *shard) newFindings(list []rules.NewFinding) {
	q := s.now
	posted := len(q.publications)
	q.publications = s.checker.Publications(q.publications)
	x := item{at: s.d.At(), live: true, time: s.d.Newest(), before: s.drafted(), conn: s.conn}
	if records := s.form.Records; len(q.publications) > posted && s.conn != nil && records != nil && !records.Has(s.conn) {
		records.Prepare(s.conn)
		x.spare = s.drafted()
	}
	for _, n := range list {
		if s.c.opts.Selection.Has(n.Finding) {
			s.addRow(n)
		}
	}
	s.addItem(x)
}

// addRow drafts a finding that was just reported, and notifies the parts of views.
func (s *shard) addRow(n rules.NewFinding) {
	if s.form.Live != nil {
		s.form.Live.NewFinding(n.Finding, 0)
		s.rows.Wrote()
	}
	for _, v := range s.views {
		v.NewFinding(n.Finding)
	}
	if s.copies {
		f := *n.Finding
		n.Finding = &f
	}
	s.now.newFindings, s.now.ends = append(s.now.newFindings, n), append(s.now.ends, s.drafted())
}

// drafted is how many drafts there are of the batch.
func (s *shard) drafted() int {
	if s.rows == nil {
		return 0
	}
	return s.rows.Drafted()
}

// keep keeps what an event published or drafted: mostly nothing.
func (s *shard) keep(at flow.Position) {
	if s.checker.HasPublications() || s.rows != nil {
		s.addItem(item{at: at})
	}
}

// addItem keeps what is to be told, with what was published and drafted before it, if there is
// anything.
func (s *shard) addItem(x item) {
	q := s.now
	q.publications = s.checker.Publications(q.publications)
	x.publications, x.newFindings, x.rows = len(q.publications), len(q.newFindings), s.drafted()
	if !x.live {
		x.before = x.rows
	}
	var before item
	if n := len(q.items); n > 0 {
		before = q.items[n-1]
	}
	if x.publications > before.publications || x.rows > before.rows || x.newFindings > before.newFindings || x.starts || x.noted > 0 {
		q.items = append(q.items, x)
	}
}

// cut ends the batch.
func (s *shard) cut() *queue {
	q := s.now
	s.now = s.pool.Get().(*queue)
	if s.rows != nil {
		q.rows = s.rows.Flush()
	}
	for _, n := range s.notes {
		q.notes = append(q.notes, n.cut())
	}
	q.reached = s.d.Reached()
	for _, v := range s.views {
		v.Cut()
	}
	return q
}

package check

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// LiveOptions are what live output can be told.
type LiveOptions struct {
	Options
	// Views are told, besides what is written.
	Views []LiveView
}

// A LiveView is told what Live writes, at once and on the same goroutine: a screen, or
// counts for monitoring. Like every dissect.Sink it may keep nothing that it is handed,
// but connections until they are over.
type LiveView interface {
	dissect.Sink
	// Fresh is told of a finding that is to be shown, as soon as it is said.
	Fresh(f *finding.Finding)
	// Dropped is told how many frames were dropped by a time in nanoseconds since 1970,
	// whenever there are more.
	Dropped(d finding.Drops, time int64)
}

// Live writes what a Dissector finds while it goes on: rows, and each finding as soon as
// it is said, in a line or a record of its own; again with all that came of it when its
// connection is over. It is a dissect.Sink and a dissect.AccessSink.
type Live struct {
	*Check
	form  LiveForm
	opts  LiveOptions
	drops finding.Drops
	// inOrder are the views that have no parts, but are told of findings.
	inOrder []PartedView
	// reached is what the views were told last by reach.
	reached int64
}

// A LiveForm is the form of live output.
type LiveForm interface {
	finding.Form
	// Rows lists what is listed; nil for nothing.
	Rows() dissect.Sink
	// Connection is told of connections as a dissect.Sink is, before any finding.
	Connection(c *dissect.Connection, final bool)
	// Fresh writes a finding that was just said; id is its number.
	Fresh(f *finding.Finding, id int64)
	// Part is the form in which a shard writes, and the drafts to which that is written.
	Part(d *dissect.Dissector) (LiveForm, *draft.Part)
	// Told reports whether all that stands before a finding of a connection was written, spare
	// writes that in a part, in case it has to be told sooner than by the part, and forget
	// lets go of a connection that is over.
	Told(c *dissect.Connection) bool
	Spare(c *dissect.Connection)
	Forget(c *dissect.Connection)
	// NumberBy has findings in drafts numbered by a function.
	NumberBy(number func(f *finding.Finding) int64)
	// Shardable reports whether that is possible.
	Shardable() bool
	// Dropped writes that frames were dropped by a time in nanoseconds since 1970.
	Dropped(d finding.Drops, time int64)
}

// NewLive returns a Live that writes in a form.
func NewLive(form LiveForm, o LiveOptions) *Live {
	l := &Live{Check: New(draft.Form{Form: form}, o.Options), form: form, opts: o}
	l.found.NumberEarly()
	form.NumberBy(l.found.Number)
	l.Watch(l)
	l.Check.news = func() {
		l.Check.across.TellNews(nil, nil, func(n rules.News) { l.across(n.Finding, l.reached) })
	}
	return l
}

// Connection implements dissect.Sink.
func (l *Live) Connection(c *dissect.Connection, final bool) {
	l.form.Connection(c, final)
	l.Check.Connection(c, final)
	for _, view := range l.opts.Views {
		view.Connection(c, final)
	}
}

// Frame implements dissect.Sink.
func (l *Live) Frame(v *dissect.FrameView) {
	if rows := l.form.Rows(); rows != nil {
		rows.Frame(v)
	}
	l.Check.Frame(v)
	for _, view := range l.opts.Views {
		view.Frame(v)
	}
}

// Message implements dissect.Sink.
func (l *Live) Message(m *dissect.Message) {
	if rows := l.form.Rows(); rows != nil {
		rows.Message(m)
	}
	l.Check.Message(m)
	for _, view := range l.opts.Views {
		view.Message(m)
	}
}

// RPC implements dissect.Sink.
func (l *Live) RPC(r *dissect.RPC) {
	if rows := l.form.Rows(); rows != nil {
		rows.RPC(r)
	}
	l.Check.RPC(r)
	for _, view := range l.opts.Views {
		view.RPC(r)
	}
}

// Fresh implements rules.Watcher.
func (l *Live) Fresh(f *finding.Finding, _ *dissect.RPC) {
	if l.opts.Selection.Has(f) {
		l.form.Fresh(f, l.found.Number(f))
		for _, view := range l.opts.Views {
			view.Fresh(f)
		}
	}
}

// Judged implements rules.Watcher.
func (l *Live) Judged(*dissect.RPC, []rules.Said) {}

// Dropped writes how many frames were dropped so far, if there are more than before, at a
// time in nanoseconds since 1970, and reports whether there are.
func (l *Live) Dropped(d finding.Drops, time int64) bool {
	if d == l.drops {
		return false
	}
	l.drops = d
	l.form.Dropped(d, time)
	for _, view := range l.opts.Views {
		view.Dropped(d, time)
	}
	return true
}

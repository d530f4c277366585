package report

import (
	"io"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// LiveOptions are what live output can be told.
type LiveOptions struct {
	CheckOptions
	// Brief leaves out rows, and has one line for each finding.
	Brief bool
	// Views are told, besides what is written.
	Views []LiveView
}

// A LiveView is told what Live writes, at once and on the same goroutine: a screen, or
// counts for monitoring. Like every dissect.Sink it may keep nothing that it is handed,
// but connections until they are over.
type LiveView interface {
	dissect.Sink
	// Fresh is told of a finding that is to be shown, as soon as it is said.
	Fresh(f *rules.Finding)
	// Dropped is told how many frames were dropped by a time in nanoseconds since 1970,
	// whenever there are more.
	Dropped(d Drops, time int64)
}

// Drops are how many frames were captured by nobody, or followed by nobody, so far.
type Drops struct {
	// Kernel are those that did not come to the ring in which capturing has them, Ring
	// those for which it had no room, Shed those that analysis could not keep up with.
	Kernel, Ring, Shed int64
}

// Live writes what a Dissector finds while it goes on: rows, and each finding as soon as
// it is said, in a line or a record of its own; again with all that came of it when its
// connection is over. It is a dissect.Sink and a dissect.AccessSink.
type Live struct {
	*Findings
	form  liveForm
	opts  LiveOptions
	drops Drops
	// inOrder are the views that have no parts, but are told of findings.
	inOrder []PartedView
	// reached is what the views were told last by reach.
	reached int64
}

// A liveForm is the form of live output.
type liveForm interface {
	findingForm
	// rows lists what is listed; nil for nothing.
	rows() dissect.Sink
	// connection is told of connections as a dissect.Sink is, before any finding.
	connection(c *dissect.Connection, final bool)
	// fresh writes a finding that was just said; id is its number.
	fresh(f *rules.Finding, id int64)
	// part is the form in which a shard writes, and the drafts to which that is written.
	part(d *dissect.Dissector) (liveForm, *rowsPart)
	// told reports whether all that stands before a finding of a connection was written, spare
	// writes that in a part, in case it has to be told sooner than by the part, and forget
	// lets go of a connection that is over.
	told(c *dissect.Connection) bool
	spare(c *dissect.Connection)
	forget(c *dissect.Connection)
	// shardable reports whether that is possible.
	shardable() bool
	// dropped writes that frames were dropped by a time in nanoseconds since 1970.
	dropped(d Drops, time int64)
}

// NewLiveText returns a Live that writes text to w.
func NewLiveText(w io.Writer, o LiveOptions) *Live {
	return newLive(&liveText{newFindingsText(w, o.CheckOptions), o}, o)
}

// NewLiveJSON returns a Live that writes records to w, one object a line.
func NewLiveJSON(w io.Writer, o LiveOptions) *Live {
	j := NewJSON(w, false, o.Options)
	l := newLive(&liveJSON{findingsJSON{j}, o}, o)
	j.numberOf = l.number
	return l
}

func newLive(form liveForm, o LiveOptions) *Live {
	l := &Live{Findings: newFindings(form, o.CheckOptions), form: form, opts: o}
	l.numbers = make(map[*rules.Finding]int64)
	l.Watch(l)
	l.Findings.news = func() {
		l.Findings.across.TellNews(nil, nil, func(f *rules.Finding) { l.across(f, l.reached) })
	}
	return l
}

// Connection implements dissect.Sink.
func (l *Live) Connection(c *dissect.Connection, final bool) {
	l.form.connection(c, final)
	l.Findings.Connection(c, final)
	for _, view := range l.opts.Views {
		view.Connection(c, final)
	}
}

// Frame implements dissect.Sink.
func (l *Live) Frame(v *dissect.FrameView) {
	if rows := l.form.rows(); rows != nil {
		rows.Frame(v)
	}
	l.Findings.Frame(v)
	for _, view := range l.opts.Views {
		view.Frame(v)
	}
}

// Message implements dissect.Sink.
func (l *Live) Message(m *dissect.Message) {
	if rows := l.form.rows(); rows != nil {
		rows.Message(m)
	}
	l.Findings.Message(m)
	for _, view := range l.opts.Views {
		view.Message(m)
	}
}

// RPC implements dissect.Sink.
func (l *Live) RPC(r *dissect.RPC) {
	if rows := l.form.rows(); rows != nil {
		rows.RPC(r)
	}
	l.Findings.RPC(r)
	for _, view := range l.opts.Views {
		view.RPC(r)
	}
}

// Fresh implements rules.Watcher.
func (l *Live) Fresh(f *rules.Finding, _ *dissect.RPC) {
	if l.opts.Selection.Has(f) {
		l.form.fresh(f, l.number(f))
		for _, view := range l.opts.Views {
			view.Fresh(f)
		}
	}
}

// Judged implements rules.Watcher.
func (l *Live) Judged(*dissect.RPC, []rules.Said) {}

// Dropped writes how many frames were dropped so far, if there are more than before, at a
// time in nanoseconds since 1970, and reports whether there are.
func (l *Live) Dropped(d Drops, time int64) bool {
	if d == l.drops {
		return false
	}
	l.drops = d
	l.form.dropped(d, time)
	for _, view := range l.opts.Views {
		view.Dropped(d, time)
	}
	return true
}

// liveText is the form in text.
type liveText struct {
	*findingsText
	opts LiveOptions
}

func (x *liveText) rows() dissect.Sink {
	if x.opts.Brief {
		return nil
	}
	return x.t
}

func (x *liveText) part(d *dissect.Dissector) (liveForm, *rowsPart) {
	p := x.t.part(d)
	return &liveText{&findingsText{t: p.out.(*Text)}, x.opts}, p
}

func (x *liveText) told(*dissect.Connection) bool { return true }
func (x *liveText) spare(*dissect.Connection)     {}
func (x *liveText) forget(*dissect.Connection)    {}
func (x *liveText) shardable() bool               { return true }

func (x *liveText) connection(c *dissect.Connection, final bool) {
	if !x.opts.Brief {
		x.t.Connection(c, final)
	}
}

func (x *liveText) fresh(f *rules.Finding, _ int64) {
	x.brief(f, x.opts.Names)
	x.t.endRow()
}

func (x *liveText) found(f *found) {
	if !x.opts.Brief && len(f.roots) > 0 {
		x.findingsText.found(f)
	}
}

func (x *liveText) dropped(d Drops, _ int64) {
	t := x.t
	t.b = append(t.b, connectionMark...)
	t.b = appendCount(t.b, d.Kernel+d.Ring+d.Shed, "frame")
	t.b = append(t.b, " dropped so far: "...)
	t.b = strconv.AppendInt(t.b, d.Kernel, 10)
	t.b = append(t.b, " by card or kernel, "...)
	t.b = strconv.AppendInt(t.b, d.Ring, 10)
	t.b = append(t.b, " since the ring was full, "...)
	t.b = strconv.AppendInt(t.b, d.Shed, 10)
	t.b = append(t.b, " not followed"...)
	t.endRow()
}

package check

import (
	"math"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Options are what a check can be told.
type Options struct {
	// Rules are those that look, Config their limits, Selection which of their
	// findings are shown.
	Rules     []*rules.Rule
	Config    rules.Config
	Selection finding.Selection
	// Files is the number of captures.
	Files int
	// Views are told besides, while connections go on.
	Views []View
}

// A Check runs the rules over what a Dissector finds, and hands what they say to a form. It is
// a dissect.Sink and a dissect.AccessSink, which reports each event what lists it, then the
// rules, then the views.
type Check struct {
	*dissect.Tee
	checker         *rules.Checker
	crossConnection *rules.CrossConnection
	found           *finding.Collector
	shards          []*shard
	form            draft.Form
	opts            Options
	// onNewFindings is called when there may be findings of CrossConnection that were not told of, where shards
	// run the rules.
	onNewFindings func()
	live          live
}

// New returns a Check whose findings are written in a form.
func New(form draft.Form, o Options) *Check {
	c := &Check{form: form, opts: o, onNewFindings: func() {}, found: finding.NewCollector(form.Form, o.Selection, o.Files > 1)}
	c.crossConnection = rules.NewCrossConnection(o.Rules, o.Config, c.found.Found)
	c.crossConnection.KeepRepeats(form.Repeats)
	c.checker = c.crossConnection.Checker()
	if o.Files > 1 {
		c.checker.Several()
	}
	sinks := []dissect.Sink{form.Rows, &check{c: c}}
	for _, v := range o.Views {
		sinks = append(sinks, v.All)
	}
	c.Tee = dissect.NewTee(sinks...)
	if form.Live != nil || len(o.Views) > 0 {
		c.goLive()
	}
	return c
}

// A check has the rules of a Check look at all connections.
type check struct {
	c     *Check
	begun bool // there was a frame
}

// Connection implements dissect.Sink.
func (j *check) Connection(c *dissect.Connection, final bool) {
	if !final {
		starts(&j.c.form, c.FirstTime)
		if records := j.c.form.Records; records != nil {
			records.Announce(c)
		}
	}
	j.c.checker.Connection(c, final)
}

// Frame implements dissect.Sink.
func (j *check) Frame(v *dissect.FrameView) {
	if !j.begun {
		j.begun = true
		starts(&j.c.form, v.Frame.Time)
	}
	j.c.checker.Frame(v)
	j.c.live.passed(v.Frame.Time)
}

// Tick implements dissect.Ticker, where no shards run the rules: while no frame comes.
func (j *check) Tick(now int64) {
	j.c.checker.Idle(now)
	j.c.live.passed(now)
}

// Message implements dissect.Sink.
func (j *check) Message(m *dissect.Message) { j.c.checker.Message(m) }

// RPC implements dissect.Sink.
func (j *check) RPC(r *dissect.RPC) { j.c.checker.RPC(r) }

// Access implements dissect.AccessSink.
func (j *check) Access(a *dissect.Access) { j.c.checker.Access(a) }

// Over says that the captures have no more frames, and what was wrong with reading
// them. It is to be called before Dissector.Flush.
func (c *Check) Over(problems []error) {
	c.found.Problems(problems)
	c.checker.Over()
	for _, s := range c.shards {
		s.checker.Over()
	}
}

// Finish has the form write what comes last, after Dissector.Flush.
func (c *Check) Finish(s dissect.Summary, elapsed time.Duration) error {
	if c.shards == nil {
		c.checker.Finish()
	} else {
		c.crossConnection.Finish(math.MaxInt64, c.onNewFindings)
	}
	return c.found.End(s, elapsed)
}

// PauseBy has what looks into connections of other workers ask another for that, which has
// all of them stand still meanwhile.
func (c *Check) PauseBy(pause func(do func())) { c.crossConnection.PauseBy(pause) }

// Tally counts the findings that were shown.
func (c *Check) Tally() finding.Tally { return c.found.Tally() }

// Flush writes what was gathered and returns the first error of the writer.
func (c *Check) Flush() error {
	if c.form.Out == nil {
		return nil
	}
	return c.form.Out.Flush()
}

// Err is the first error of the writer: nobody reads on.
func (c *Check) Err() error {
	if c.form.Out == nil {
		return nil
	}
	return c.form.Out.Err()
}

// starts tells a form when something was captured, in nanoseconds since 1970.
func starts(form *draft.Form, ns int64) {
	if form.Starts != nil {
		form.Starts(ns)
	}
}

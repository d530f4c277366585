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
}

// A Check runs the rules over what a Dissector finds, and hands what they say to a form. It is
// a dissect.Sink and a dissect.AccessSink.
type Check struct {
	checker *rules.Checker
	across  *rules.Across
	found   *finding.Collector
	parts   []*part
	form    draft.Form
	opts    Options
	// news is called when there may be findings of Across that were not told of, where Parts
	// run the rules.
	news func()
}

// New returns a Check whose findings are written in a form.
func New(form draft.Form, o Options) *Check {
	c := &Check{form: form, opts: o, news: func() {}, found: finding.NewCollector(form, o.Selection, o.Files > 1)}
	c.across = rules.NewAcross(o.Rules, o.Config, c.found.Found)
	c.checker = c.across.Checker()
	if o.Files > 1 {
		c.checker.Several()
	}
	return c
}

// Connection implements dissect.Sink.
func (c *Check) Connection(conn *dissect.Connection, final bool) {
	if !final {
		c.form.Announce(conn)
	}
	c.checker.Connection(conn, final)
}

// Frame implements dissect.Sink.
func (c *Check) Frame(v *dissect.FrameView) {
	c.found.Starts(v.Frame.Time)
	c.checker.Frame(v)
}

// Message implements dissect.Sink.
func (c *Check) Message(m *dissect.Message) { c.checker.Message(m) }

// RPC implements dissect.Sink.
func (c *Check) RPC(r *dissect.RPC) { c.checker.RPC(r) }

// Access implements dissect.AccessSink.
func (c *Check) Access(a *dissect.Access) { c.checker.Access(a) }

// Over says that the captures have no more frames, and what was wrong with reading
// them. It is to be called before Dissector.Flush.
func (c *Check) Over(problems []error) {
	c.found.Problems(problems)
	c.checker.Over()
	for _, p := range c.parts {
		p.checker.Over()
	}
}

// Finish has the form write what comes last, after Dissector.Flush.
func (c *Check) Finish(s dissect.Summary, elapsed time.Duration) error {
	if c.parts == nil {
		c.checker.Finish()
	} else {
		c.across.Finish(math.MaxInt64, c.news)
	}
	return c.found.End(s, elapsed)
}

// PauseBy has what looks into connections of other workers ask another for that, which has
// all of them stand still meanwhile.
func (c *Check) PauseBy(pause func(do func())) { c.across.PauseBy(pause) }

// Tally counts the findings that were shown.
func (c *Check) Tally() finding.Tally { return c.found.Tally() }

// Flush writes what was gathered and returns the first error of the writer.
func (c *Check) Flush() error { return c.form.Flush() }

// Err is the first error of the writer: nobody reads on.
func (c *Check) Err() error { return c.form.Err() }

package report

import (
	"math"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// CheckOptions are what a check can be told.
type CheckOptions struct {
	Options
	// Rules are those that look, Config their limits, Selection which of their
	// findings are shown.
	Rules     []*rules.Rule
	Config    rules.Config
	Selection rules.Selection
	// Names are the captures as the user named them, Version that of rdmacap:
	// SARIF says both.
	Names   []string
	Version string
}

// Findings runs the rules over what a Dissector finds, and writes what they say.
// It is a dissect.Sink and a dissect.AccessSink.
type Findings struct {
	*rules.Checker
	across *rules.Across
	parts  []*findingsPart
	form   findingForm
	opts   CheckOptions
	said   int64 // findings so far
	// numbers are those of findings that were told before their connection was over; nil if
	// none are.
	numbers map[*rules.Finding]int64
	// news is called when there may be findings of Across that were not told of, where Parts
	// run the rules.
	news func()
	// begun says that there was a frame.
	begun bool
	end   ending
}

// A findingForm is a form in which findings are written.
type findingForm interface {
	// starts is told when the first frame was captured, in nanoseconds since 1970, and
	// announce of each connection, before any finding.
	starts(ns int64)
	announce(c *dissect.Connection)
	// found writes the findings of a connection that is over.
	found(f *found)
	// finish writes what comes last.
	finish(e *ending) error
	Flush() error
	Err() error
}

// found is what a connection came to, or with a nil Connection what the whole
// capture did.
type found struct {
	connection *dissect.Connection
	roots      []*rules.Finding // what no other that is shown explains, the worst first
	tally      Tally
	gates      []Gate
	ids        map[*rules.Finding]int64
}

// all calls do for each finding, a cause before what it explains.
func (f *found) all(do func(*rules.Finding)) { walkFindings(f.roots, do) }

func walkFindings(list []*rules.Finding, do func(*rules.Finding)) {
	for _, f := range list {
		do(f)
		walkFindings(f.Effects, do)
	}
}

// ending is what all came to.
type ending struct {
	dissect.Summary
	elapsed  time.Duration
	tally    Tally
	guilty   int64 // connections with findings
	gated    int64 // connections of which not everything could be checked
	shown    rules.Selection
	problems []error
}

func newFindings(form findingForm, o CheckOptions) *Findings {
	f := &Findings{form: form, opts: o, news: func() {}}
	f.end.shown = o.Selection
	f.across = rules.NewAcross(o.Rules, o.Config, f.take)
	f.Checker = f.across.Checker()
	if o.Files > 1 {
		f.Checker.Several()
	}
	return f
}

// Connection implements dissect.Sink.
func (f *Findings) Connection(c *dissect.Connection, final bool) {
	if !final {
		f.form.announce(c)
	}
	f.Checker.Connection(c, final)
}

// Frame implements dissect.Sink.
func (f *Findings) Frame(v *dissect.FrameView) {
	f.starts(v.Frame.Time)
	f.Checker.Frame(v)
}

// starts is told of the time of a frame: the first counts.
func (f *Findings) starts(ns int64) {
	if !f.begun {
		f.begun = true
		f.form.starts(ns)
	}
}

// take is the rules.Output.
func (f *Findings) take(c *dissect.Connection, list []*rules.Finding) {
	result := found{connection: c, roots: rules.Roots(pick(list, f.opts.Selection)), ids: make(map[*rules.Finding]int64)}
	result.all(func(x *rules.Finding) {
		x.Frames = slices.Compact(slices.SortedFunc(slices.Values(append(x.Frames, x.Frame)), flow.Ref.Compare))
		result.ids[x] = f.number(x)
		result.tally.Add(x.Severity)
	})
	f.end.tally.join(result.tally)
	if c != nil {
		result.gates = gates(c)
		if len(result.roots) > 0 {
			f.end.guilty++
		}
		if len(result.gates) > 0 {
			f.end.gated++
		}
	}
	f.form.found(&result)
	for _, x := range list {
		delete(f.numbers, x)
	}
}

// number is the number of a finding, which it keeps until its connection is over.
func (f *Findings) number(x *rules.Finding) int64 {
	n, told := f.numbers[x]
	if !told {
		f.said++
		n = f.said
		if f.numbers != nil {
			f.numbers[x] = n
		}
	}
	return n
}

// Over says that the captures have no more frames, and what was wrong with reading
// them. It is to be called before Dissector.Flush.
func (f *Findings) Over(problems []error) {
	f.end.problems = problems
	f.Checker.Over()
	for _, p := range f.parts {
		p.Over()
	}
}

// Finish writes what comes last, after Dissector.Flush.
func (f *Findings) Finish(s dissect.Summary, elapsed time.Duration) error {
	if f.parts == nil {
		f.Checker.Finish()
	} else {
		f.across.Finish(math.MaxInt64, f.news)
	}
	f.end.Summary, f.end.elapsed = s, elapsed
	return f.form.finish(&f.end)
}

// PauseBy has what looks into connections of other workers ask another for that, which has
// all of them stand still meanwhile.
func (f *Findings) PauseBy(pause func(do func())) { f.across.PauseBy(pause) }

// Tally counts the findings that were shown.
func (f *Findings) Tally() Tally { return f.end.tally }

// Flush writes what was gathered and returns the first error of the writer.
func (f *Findings) Flush() error { return f.form.Flush() }

// Err is the first error of the writer: nobody reads on.
func (f *Findings) Err() error { return f.form.Err() }

// pick keeps the findings that are wanted. What hid under one that is not hangs
// under the next that explains it, or under none.
func pick(list []*rules.Finding, s rules.Selection) (kept []*rules.Finding) {
	for _, f := range list {
		if s.Has(f) {
			kept = append(kept, f)
		}
	}
	for _, f := range kept {
		for f.Cause != nil && !s.Has(f.Cause) {
			f.Cause = f.Cause.Cause
		}
		f.Effects = nil
	}
	for _, f := range kept {
		if f.Cause != nil {
			f.Cause.Effects = append(f.Cause.Effects, f)
		}
	}
	return kept
}

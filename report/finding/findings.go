package finding

import (
	"math"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rules"
)

// CheckOptions are what a check can be told.
type CheckOptions struct {
	listing.Options
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
	form   Form
	opts   CheckOptions
	said   int64 // findings so far
	// numbers are those of findings that were told before their connection was over; nil if
	// none are.
	numbers map[*rules.Finding]int64
	// news is called when there may be findings of Across that were not told of, where Parts
	// run the rules.
	news func()
	// begun says that there was a frame.
	begun    bool
	overview Overview
	verdict  Verdict
	end      Ending
}

// A Form is a form in which findings are written.
type Form interface {
	// Starts is told when the first frame was captured, in nanoseconds since 1970, and
	// announce of each connection, before any finding.
	Starts(ns int64)
	Announce(c *dissect.Connection)
	// Found writes the findings of a connection that is over.
	Found(f *Found)
	// finish writes what comes last.
	End(e *Ending) error
	Flush() error
	Err() error
}

// An Announcer is a Form that writes a record of each connection as it is announced:
// announcing returns what drafts those of a shard.
type Announcer interface {
	Announcing(d *dissect.Dissector) *draft.Part
}

// Found is what a connection came to, or with a nil Connection what the whole
// capture did.
type Found struct {
	Connection *dissect.Connection
	Roots      []*rules.Finding // what no other that is shown explains, the worst first
	Tally      Tally
	Gates      []Gate
	Ids        map[*rules.Finding]int64
}

// All calls do for each finding, a cause before what it explains.
func (f *Found) All(do func(*rules.Finding)) { Walk(f.Roots, do) }

// Walk calls do for findings and what they explain, a cause before its effects.
func Walk(list []*rules.Finding, do func(*rules.Finding)) {
	for _, f := range list {
		do(f)
		Walk(f.Effects, do)
	}
}

// Ending is what all came to.
type Ending struct {
	dissect.Summary
	Elapsed time.Duration
	// Verdict is what is to be said first, in sentences; Overview is what was found on all
	// connections together, what hurts most first.
	Verdict  []string
	Overview []*OverviewRow
	Tally    Tally
	Guilty   int64 // connections with findings
	Gated    int64 // connections of which not everything could be checked
	Shown    rules.Selection
	Problems []error
}

// New returns Findings that are written in a form.
func New(form Form, o CheckOptions) *Findings {
	f := &Findings{form: form, opts: o, news: func() {}}
	f.end.Shown = o.Selection
	f.verdict.Several = o.Files > 1
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
		f.form.Announce(c)
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
		f.form.Starts(ns)
	}
}

// take is the rules.Output.
func (f *Findings) take(c *dissect.Connection, list []*rules.Finding) {
	result := Found{Connection: c, Roots: Roots(pick(list, f.opts.Selection)), Ids: make(map[*rules.Finding]int64)}
	result.All(func(x *rules.Finding) {
		x.Frames = slices.Compact(slices.SortedFunc(slices.Values(append(x.Frames, x.Frame)), flow.Ref.Compare))
		result.Ids[x] = f.Number(x)
		result.Tally.Add(x.Severity)
		f.overview.Add(x)
	})
	f.verdict.Add(c, result.Roots)
	f.end.Tally.join(result.Tally)
	if c != nil {
		result.Gates = gates(c)
		if len(result.Roots) > 0 {
			f.end.Guilty++
		}
		if len(result.Gates) > 0 {
			f.end.Gated++
		}
	}
	f.form.Found(&result)
	for _, x := range list {
		delete(f.numbers, x)
	}
}

// Number is the number of a finding, which it keeps until its connection is over.
func (f *Findings) Number(x *rules.Finding) int64 {
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
	f.end.Problems = problems
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
	f.end.Summary, f.end.Elapsed = s, elapsed
	f.end.Verdict, f.end.Overview = f.verdict.Sentences(&f.end), f.overview.Rows()
	return f.form.End(&f.end)
}

// PauseBy has what looks into connections of other workers ask another for that, which has
// all of them stand still meanwhile.
func (f *Findings) PauseBy(pause func(do func())) { f.across.PauseBy(pause) }

// Tally counts the findings that were shown.
func (f *Findings) Tally() Tally { return f.end.Tally }

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

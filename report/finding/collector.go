package finding

import (
	"fmt"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Collector puts together what the rules find, connection by connection, and hands it to a
// Form. It keeps nothing of a connection that is over but numbers.
type Collector struct {
	form     Form
	shown    Selection
	reported int64 // findings so far
	// numbers are those of findings that were told before their connection was over; nil if
	// none are.
	numbers  map[*Finding]int64
	overview Overview
	verdict  Verdict
	end      Ending
}

// NewCollector returns a Collector for a form of the findings that are to be shown; several
// says that the frames are of several files.
func NewCollector(form Form, shown Selection, several bool) *Collector {
	c := &Collector{form: form, shown: shown, verdict: Verdict{Several: several}}
	c.end.Shown = shown
	return c
}

// NumberEarly has findings keep the numbers that they are given before their connection is
// over. It is to be called before the first.
func (c *Collector) NumberEarly() { c.numbers = make(map[*Finding]int64) }

// Found takes the findings of a connection that is over, in the order in which they were reported,
// tied to their causes; of those of the whole capture, which come last, conn is nil.
func (c *Collector) Found(conn *dissect.Connection, list []*Finding) {
	kept := pick(list, c.shown)
	c.verdict.Add(conn, Roots(kept))
	if c.shown.Asked != nil {
		all := len(kept)
		kept = asked(kept, c.shown.Asked)
		c.end.NotAsked += int64(all - len(kept))
	}
	result := Found{Connection: conn, Roots: Roots(kept), Ids: make(map[*Finding]int64), least: c.shown.Least, Chosen: c.shown.Asked != nil}
	result.All(func(x *Finding) {
		x.Frames = slices.Compact(slices.SortedFunc(slices.Values(append(x.Frames, x.Frame)), flow.Ref.Compare))
		result.Ids[x] = c.Number(x)
		result.Tally.Add(x.Severity)
		c.overview.Add(x)
		for _, call := range x.Slow {
			if conn != nil {
				call.Connection = conn.ID
			}
			c.end.Slow.Add(call)
		}
	})
	for _, x := range list {
		if c.shown.Hides(x) {
			result.Hidden.Add(x.Severity)
		}
	}
	c.end.Tally.join(result.Tally)
	c.end.Hidden.join(result.Hidden)
	if conn != nil {
		result.Gates = gates(conn)
		if len(result.Roots) > 0 {
			c.end.Guilty++
		}
		if len(result.Gates) > 0 {
			c.end.Gated++
		}
	}
	c.form.Found(&result)
	for _, x := range list {
		delete(c.numbers, x)
	}
}

// Number is the number of a finding, which it keeps until its connection is over.
func (c *Collector) Number(x *Finding) int64 {
	n, told := c.numbers[x]
	if !told {
		c.reported++
		n = c.reported
		if c.numbers != nil {
			c.numbers[x] = n
		}
	}
	return n
}

// Problems takes what was wrong with reading the captures.
func (c *Collector) Problems(list []error) { c.end.Problems = list }

// End has the form write what comes last.
func (c *Collector) End(s dissect.Summary, elapsed time.Duration) error {
	c.end.Summary, c.end.Elapsed = s, elapsed
	c.end.Overview = c.overview.Rows()
	c.end.Verdict, c.end.lead = c.verdict.Sentences(&c.end)
	if c.shown.Asked != nil {
		c.end.Verdict = append(c.end.Verdict, c.end.whatWasAsked())
	}
	return c.form.End(&c.end)
}

// Tally counts the findings that were shown.
func (c *Collector) Tally() Tally { return c.end.Tally }

// pick keeps the findings that are wanted, and that no other says better. What hid under one that is not kept hangs
// under the next that explains it, or under none.
func pick(list []*Finding, s Selection) (kept []*Finding) {
	keeps := func(f *Finding) bool { return s.Has(f) && (f.Instead == nil || !s.Has(f.Instead)) }
	for _, f := range list {
		if keeps(f) {
			kept = append(kept, f)
		}
	}
	for _, f := range kept {
		for f.Cause != nil && !keeps(f.Cause) {
			next := f.Cause.Cause
			if x := f.Cause.Instead; x != nil && keeps(x) && !x.under(f) {
				next = x
			}
			f.Cause = next
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

// whatWasAsked says how many findings are shown of those that the verdict is about.
func (e *Ending) whatWasAsked() string {
	shown := e.Tally.Total()
	switch all := shown + e.NotAsked; {
	case all == 0:
		return "Nothing was found anywhere in the captures."
	case shown == 0:
		return fmt.Sprintf("The verdict covers the captures as a whole. None of their %s was selected.", plural(all, "finding", "findings"))
	default:
		return fmt.Sprintf("The verdict covers the captures as a whole. %d of their %s follow: those selected, and those that explain them.", shown, plural(all, "finding", "findings"))
	}
}

// asked keeps the findings that were asked for, and what explains them.
func asked(list []*Finding, is func(f *Finding) bool) (kept []*Finding) {
	wanted := make(map[*Finding]bool)
	for _, f := range list {
		if is(f) {
			for x := f; x != nil; x = x.Cause {
				wanted[x] = true
			}
		}
	}
	for _, f := range list {
		f.Effects = slices.DeleteFunc(f.Effects, func(x *Finding) bool { return !wanted[x] })
		if wanted[f] {
			kept = append(kept, f)
		}
	}
	return kept
}

// under reports whether a finding is another, or one that this explains.
func (f *Finding) under(other *Finding) bool {
	for ; f != nil; f = f.Cause {
		if f == other {
			return true
		}
	}
	return false
}

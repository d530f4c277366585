package finding

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
)

// A Form is a form in which findings are written.
type Form interface {
	// Found writes the findings of a connection that is over.
	Found(f *Found)
	// End writes what comes last.
	End(e *Ending) error
}

// Found is what a connection came to, or with a nil Connection what the whole
// capture did.
type Found struct {
	Connection *dissect.Connection
	Roots      []*Finding // what no other that is shown explains, the worst first
	Tally      Tally
	Gates      []Gate
	Ids        map[*Finding]int64
}

// All calls do for each finding, a cause before what it explains.
func (f *Found) All(do func(*Finding)) { Walk(f.Roots, do) }

// Walk calls do for findings and what they explain, a cause before its effects.
func Walk(list []*Finding, do func(*Finding)) {
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
	Shown    Selection
	Problems []error
}

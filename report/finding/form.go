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
	Hidden     Tally // what is not shown since it is not severe enough
	Gates      []Gate
	Ids        map[*Finding]int64
	least      Severity // that is shown
	// Chosen says that only those are shown that were asked for.
	Chosen bool
}

// Absent is the number of a connection that was asked for and that there is not, 0 if there is none.
func (e *Ending) Absent() int {
	for _, n := range e.Shown.Connections {
		if int64(n) > e.Connections {
			return n
		}
	}
	return 0
}

// Counts says how much was found of the connection, and in how many RPCs: "2 warnings", or "nothing at or above
// warning in 161 RPCs; 4 notes hidden".
func (f *Found) Counts() string {
	shown, hidden := f.Tally.Beside(f.Hidden, f.least)
	if len(f.Roots) == 0 && f.Connection.RPCs > 0 {
		shown += " in " + plural(f.Connection.RPCs, "RPC", "RPCs")
	}
	return shown + hidden
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
	// Verdict is what is to be reported first, in sentences; Overview is what was found on all
	// connections together, what hurts most first.
	Verdict  []string
	Overview []*OverviewRow
	// NotAsked is how many findings are not shown since others were asked for.
	NotAsked int64
	// Slow are the calls that took longest, of those that findings are about.
	Slow     SlowCalls
	Tally    Tally
	Hidden   Tally // what is not shown since it is not severe enough
	Guilty   int64 // connections with findings
	Gated    int64 // connections of which not everything could be checked
	Shown    Selection
	Problems []error

	lead Lead // what Verdict speaks of first
}

// Counts says how much was found of all connections, and beside that what is hidden: "" if nothing is.
func (e *Ending) Counts() (shown, hidden string) {
	if e.Connections == 0 && e.Tally == (Tally{}) {
		return "nothing was checked", ""
	}
	if e.NotAsked > 0 && e.Tally == (Tally{}) && e.Hidden == (Tally{}) {
		return "no finding that was selected", "" // there are others: something is wrong
	}
	return e.Tally.Beside(e.Hidden, e.Shown.Least)
}

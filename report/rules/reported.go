package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Reported is what a rule found about an RPC that is not over.
type Reported struct {
	Rule   *Rule
	Letter string
	// Finding is the one that it was folded into.
	Finding *Finding

	at turn
}

// ID is the rule's with the letter.
func (s Reported) ID() string { return s.Rule.ID + s.Letter }

// follows reports whether it matters what follows: the first time.
func (s Reported) follows() bool { return s.Finding.Count == 1 }

// A reportedList is what was found about one RPC.
type reportedList []Reported

// note adds to it, but for notes.
func (l *reportedList) note(rule *Rule, letter string, f *Finding) {
	const most = 32 // more findings about one RPC than make sense to anybody
	if f.Severity > finding.Note && len(*l) < most {
		*l = append(*l, Reported{rule, letter, f, f.again})
	}
}

// ReportedOf is what its Checker reported of an RPC that is judged, to be published: CrossConnection may have
// said more.
type ReportedOf struct {
	rpc  *dissect.RPC // distinguished from others, not looked at
	list reportedList
}

// ReportedOf is what Said returns, for Entry.Reported.
func (c *Conn) ReportedOf(r *dissect.RPC) ReportedOf {
	return ReportedOf{r, slices.Clone(c.reported[r])}
}

// Reported is all that was reported of an RPC by then, but for notes, in that order. The Findings may
// change: their Checker goes on.
func (e *ConnRef) Reported(of *ReportedOf) []Reported {
	more := slices.Concat(e.reported[of.rpc], *e.CrossConnection.checkedList(of.rpc))
	if len(more) == 0 {
		return of.list
	}
	list := slices.Concat(of.list, more)
	slices.SortStableFunc(list, func(s, t Reported) int { return s.at.compare(t.at) })
	return list
}

// A judgement is what CrossConnection reported of an RPC that is over.
type judgement struct {
	rpc   *dissect.RPC
	ref   *ConnRef
	frame int64 // the ordinal of that at which it is
	list  reportedList
}

// checkedList is what was reported so far of the RPC that is over, of which something was published.
func (a *CrossConnection) checkedList(r *dissect.RPC) *reportedList {
	if j := &a.checked; j.rpc != r || j.ref != a.last.ref || j.frame != a.last.at.frame {
		*j = judgement{r, a.last.ref, a.last.at.frame, nil}
	}
	return &a.checked.list
}

// checkedOf is what was reported of an RPC that was judged last, at a frame: another RPC may be
// in its place by now.
func (a *CrossConnection) checkedOf(e *ConnRef, r *dissect.RPC, frame int64) []Reported {
	if j := &a.checked; e == nil || j.rpc != r || j.ref != e || j.frame != frame {
		return nil
	}
	return a.checked.list
}

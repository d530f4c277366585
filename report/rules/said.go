package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Said is what a rule found about an RPC that is not over.
type Said struct {
	Rule   *Rule
	Letter string
	// Finding is the one that it was folded into.
	Finding *Finding

	at turn
}

// ID is the rule's with the letter.
func (s Said) ID() string { return s.Rule.ID + s.Letter }

// follows reports whether it matters what follows: the first time.
func (s Said) follows() bool { return s.Finding.Count == 1 }

// A saidList is what was found about one RPC.
type saidList []Said

// note adds to it, but for notes.
func (l *saidList) note(rule *Rule, letter string, f *Finding) {
	const most = 32 // more findings about one RPC than make sense to anybody
	if f.Severity > finding.Note && len(*l) < most {
		*l = append(*l, Said{rule, letter, f, f.again})
	}
}

// SaidOf is what its Checker said of an RPC that is judged, to be posted: Across may have
// said more.
type SaidOf struct {
	rpc  *dissect.RPC // told from others, not looked at
	list saidList
}

// SaidOf is what Said returns, for Entry.Said.
func (c *Conn) SaidOf(r *dissect.RPC) SaidOf { return SaidOf{r, slices.Clone(c.said[r])} }

// Said is all that was said of an RPC by then, but for notes, in that order. The Findings may
// change: their Checker goes on.
func (e *Entry) Said(of *SaidOf) []Said {
	more := slices.Concat(e.said[of.rpc], *e.Across.judge(of.rpc))
	if len(more) == 0 {
		return of.list
	}
	list := slices.Concat(of.list, more)
	slices.SortStableFunc(list, func(s, t Said) int { return s.at.compare(t.at) })
	return list
}

// A judgement is what Across said of an RPC that is over.
type judgement struct {
	rpc   *dissect.RPC
	entry *Entry
	frame int64 // the ordinal of that at which it is
	list  saidList
}

// judge is what was said so far of the RPC that is over, of which something was posted.
func (a *Across) judge(r *dissect.RPC) *saidList {
	if j := &a.judged; j.rpc != r || j.entry != a.last.entry || j.frame != a.last.at.frame {
		*j = judgement{r, a.last.entry, a.last.at.frame, nil}
	}
	return &a.judged.list
}

// judgedOf is what was said of an RPC that was judged last, at a frame: another RPC may be
// in its place by now.
func (a *Across) judgedOf(e *Entry, r *dissect.RPC, frame int64) []Said {
	if j := &a.judged; e == nil || j.rpc != r || j.entry != e || j.frame != frame {
		return nil
	}
	return a.judged.list
}

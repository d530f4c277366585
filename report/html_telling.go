package report

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/rules"
)

const (
	// firstRPCs and ofAKind are how many RPCs of a connection, and of each kind, have
	// their evidence kept though no finding is new of them; ofASlowKind if they took
	// long. Of connections behind the first firstConnections that are fewRPCs.
	firstRPCs                 = 16
	ofAKind, ofASlowKind      = 4, 16
	firstConnections, fewRPCs = 16, 1
	// anyway is how much of the room for evidence is used before any of that counts, in
	// percent: of a short capture all is there.
	anyway = 4
	// ofARule is how many findings of a case of a rule have their evidence kept: one
	// more of what each of a thousand connections has tells nothing new, and costs time.
	ofARule = 64
	// mostKindsKept bounds the kinds that are told apart.
	mostKindsKept = 4096
)

// share is how much of the room for evidence may be used, in percent, before
// something of that weight has none: of a finding of some severity, or of an RPC
// without one that was not told before.
func share(s rules.Severity) int64 {
	switch {
	case s > rules.Note:
		return 90
	case s == rules.Note:
		return 40
	}
	return 25
}

// telling reports whether an RPC that no finding is new of tells something.
func (h *HTML) telling(r *dissect.RPC, row *page.Row, severity rules.Severity) bool {
	c := h.stateOf(r.Connection)
	slow := row.Latency > int64(h.opts.Config.SlowCall)
	kind := kindOf{row.Name, row.CallTransfer, row.ReplyTransfer, severity, slow}
	n, known := h.kinds[kind]
	if c.sampled == 0 {
		h.sampled++
		c.few = h.sampled > firstConnections
	}
	first, alike := firstRPCs, ofAKind
	if c.few {
		first = fewRPCs
	}
	if slow {
		alike = ofASlowKind
	}
	tells := c.sampled < first || n < alike || h.page.Room(anyway)
	c.sampled++
	if known || len(h.kinds) < mostKindsKept {
		h.kinds[kind] = n + 1
	}
	return tells
}

// A kindOf RPC is its name, how its messages travelled, the worst finding about it, and
// whether it took long.
type kindOf struct {
	name        string
	call, reply page.Transfer
	worst       rules.Severity
	slow        bool
}

// A caseOf a rule is what findings are of.
type caseOf struct {
	rule   *rules.Rule
	letter string
}

// repeats reports whether there were so many findings of the case of a rule that one
// more has no evidence, and counts it.
func (h *HTML) repeats(f *rules.Finding) bool {
	of := caseOf{f.Rule, f.Letter}
	h.shown[of]++
	return h.shown[of] > ofARule
}

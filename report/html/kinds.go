package html

import (
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/page/columns"
)

const (
	// firstRPCs and ofAKind are how many RPCs of a connection, and of each kind, have
	// their evidence kept though no finding is new of them; ofASlowKind if they took
	// long. Of connections after the first firstConnections that are fewRPCs.
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
func share(s finding.Severity) int64 {
	switch {
	case s > finding.Note:
		return 90
	case s == finding.Note:
		return 40
	}
	return 25
}

// howMany are how many of the first RPCs of a connection, and of a kind, have evidence.
func howMany(few, slow bool) (first, alike int) {
	first, alike = firstRPCs, ofAKind
	if few {
		first = fewRPCs
	}
	if slow {
		alike = ofASlowKind
	}
	return first, alike
}

// A kindOf RPC is its name, how its messages travelled, the worst finding about it, and
// whether it took long.
type kindOf struct {
	name        string
	call, reply columns.Transfer
	worst       finding.Severity
	slow        bool
}

// A caseOf a rule is what findings are of.
type caseOf struct {
	rule   *finding.Rule
	letter string
}

// kindOf is the kind of an RPC, of which the worst finding has a severity.
func (h *Page) kindOf(row *columns.Row, severity finding.Severity) kindOf {
	return kindOf{row.Name, row.CallTransfer, row.ReplyTransfer, severity, row.Latency > int64(h.opts.Config.SlowCall)}
}

package report

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/rules"
)

const (
	// firstRPCs and ofAKind are how many RPCs of a connection, and of each name and
	// way to travel, have their evidence kept without a finding. Of connections
	// behind the first firstConnections that are fewRPCs.
	firstRPCs, ofAKind        = 16, 4
	firstConnections, fewRPCs = 16, 4
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
	kind := kindOf{row.Name, row.CallTransfer, row.ReplyTransfer}
	n, known := h.kinds[kind]
	if c.sampled == 0 {
		h.sampled++
		c.few = h.sampled > firstConnections
	}
	most := firstRPCs
	if c.few {
		most = fewRPCs
	}
	tells := severity > 0 || c.sampled < most || n < ofAKind || row.Latency > int64(h.opts.Config.SlowCall)
	c.sampled++
	if known || len(h.kinds) < mostKindsKept {
		h.kinds[kind] = n + 1
	}
	return tells
}

// A kindOf RPC is its name, and how its messages travelled.
type kindOf struct {
	name        string
	call, reply page.Transfer
}

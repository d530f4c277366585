package html

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/page/columns"
)

// telling reports whether an RPC that no finding is new of tells something.
func (h *Page) telling(conn *dissect.Connection, row *columns.Row, severity finding.Severity) bool {
	c := h.stateOf(conn)
	kind, slow := h.kindOf(row, severity)
	n, known := h.kinds[kind]
	if c.sampled == 0 {
		h.sampled++
		c.few = h.sampled > firstConnections
	}
	if !known && len(h.kinds) >= mostKindsKept {
		n = ofASlowKind // there are so many kinds that one more tells nothing
	}
	first, alike := howMany(c.few, slow)
	tells := c.sampled < first || n < alike || h.page.Room(anyway)
	c.sampled++
	if known || len(h.kinds) < mostKindsKept {
		h.kinds[kind] = n + 1
	}
	return tells
}

// kindOf is the kind of an RPC, of which the worst finding has a severity.
func (h *Page) kindOf(row *columns.Row, severity finding.Severity) (kind kindOf, slow bool) {
	slow = row.Latency > int64(h.opts.Config.SlowCall)
	return kindOf{row.Name, row.CallTransfer, row.ReplyTransfer, severity, slow}, slow
}

// repeats reports whether there were so many findings of the case of a rule that one
// more has no evidence, and counts it.
func (h *Page) repeats(w *want) bool {
	of := caseOf{w.Rule, w.Letter}
	h.shown[of]++
	return h.shown[of] > ofARule
}

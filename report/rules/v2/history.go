package v2

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

const (
	mostPairs = 1024 // pairs of hosts that are remembered
	tolerated = 2    // connections in a row that may be lost over version 2
)

// A past is how version 2 fared on the last connections of a pair.
type past struct {
	failed int      // how many in a row were lost before a version was found
	end    int64    // when the last of them ended
	last   flow.Ref // its last frame
}

// history has the pasts of the pairs of a capture that lost connections over version 2.
type history struct{ pairs map[rules.Hosts]past }

// historySlot is where CrossConnection keeps it.
const historySlot = rules.CrossSlot[history](rules.KeepsV2)

// An ended connection is one that is over: which version its client tried, and whether
// all of it is known.
type ended struct {
	hosts          rules.Hosts
	tried          bool // version 2
	agreed, proven bool
	closing        flow.Closing
	began, end     int64
	last           flow.Ref
	first          rules.PastMessage // the client's first message of version 2
}

// ended enters a connection that is over, and reports one that began with version 2
// though those before were lost over that, not longer than within before.
func (h *history) ended(x *ended, report rules.Reporter, within int64) {
	tried := x.tried && x.first.Seen()
	if !tried && len(h.pairs) == 0 {
		return
	}
	p := h.pairs[x.hosts]
	if tried && p.failed >= tolerated && p.end <= x.began && x.began-p.end <= within && x.proven {
		report.Past("a", &x.first, "").
			Messagef("the client begins with version 2 again, although the previous %d connections to this server were lost over it", p.failed).
			See("connections begun with version 2", p.failed+1, fmt.Sprintf("at most %d", tolerated)).With(p.last)
	}
	switch {
	case x.closing == flow.Rejected:
		return // it says nothing of versions
	case !tried || x.agreed || x.closing == flow.Open || !x.proven:
		p = past{} // also if nobody knows
	default:
		p = past{p.failed + 1, x.end, x.last}
	}
	if _, known := h.pairs[x.hosts]; !known && (p.failed == 0 || len(h.pairs) >= mostPairs) {
		return
	}
	if h.pairs == nil {
		h.pairs = make(map[rules.Hosts]past)
	}
	h.pairs[x.hosts] = p
}

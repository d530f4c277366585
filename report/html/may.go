package html

import (
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/page/columns"
)

// A mayTell says which RPCs and findings may have to have evidence: what a shard knows, and
// what the page was some time before, rules out most of them.
type mayTell struct {
	kinds   map[kindOf]int
	sampled int            // connections that had RPCs
	shown   map[caseOf]int // findings
}

func newMayTell() mayTell {
	return mayTell{kinds: make(map[kindOf]int), shown: make(map[caseOf]int)}
}

// of reports whether a finding may have evidence: Page.repeats, as far as a part can tell.
func (x *mayTell) of(w *want) bool {
	of := caseOf{w.Rule, w.Letter}
	x.shown[of]++
	return x.shown[of] <= ofARule
}

// about is telling, as far as a part can tell: true where that may be.
func (x *mayTell) about(h *Page, c *partState, row *columns.Row, severity finding.Severity) bool {
	if c.sampled == 0 {
		x.sampled++
		c.few = x.sampled > firstConnections
	}
	kind, slow := h.kindOf(row, severity)
	first, alike := howMany(c.few, slow)
	n, known := x.kinds[kind]
	may := c.sampled < first || n < alike || h.room(anyway)
	c.sampled++
	if known || len(x.kinds) < mostKindsKept {
		x.kinds[kind] = n + 1
	}
	return may && h.room(share(0))
}

// A partState is what a part keeps of a connection until it is over.
type partState struct {
	stamp   ladder.Stamp
	stamped bool
	sampled int // RPCs
	few     bool
}

package metrics

import (
	"time"

	"github.com/rdmacap/rdmacap/report/finding"
)

// A copied is what Metrics have at a moment.
type copied struct {
	figures
	operations []operation
	errors     []named
	findings   []found
	drops      finding.Drops
	interfaces []networkInterface
	ready      bool
	behind     time.Duration
	ages       [2]time.Duration // of the oldest calls, by requester
}

// copied is what there is now.
func (m *Metrics) copied() copied {
	m.guard.Lock()
	defer m.guard.Unlock()
	return copied{
		figures: m.figures, drops: m.drops, operations: m.operations.copied(),
		errors:     append([]named(nil), m.errors.list...),
		findings:   append([]found(nil), m.findings.list...),
		interfaces: append([]networkInterface(nil), m.interfaces...),
		ready:      m.state.ready() == "", behind: m.lag.behind(m.opts.Now()), ages: m.oldest.ages(),
	}
}

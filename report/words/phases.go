package words

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/stats"
)

// phaseColumns are those of where the time went, by dissect.Phase.
func phaseColumns() [dissect.NumPhases]string {
	return [...]string{"Credit wait", "Call [%]", "RDMA Read [%]", "Server [%]", "Write [%]", "Reply [%]", "Resent [%]", "Unknown [%]"}
}

// phases is where the time went: how long calls waited for credits, and shares of their latency.
func phases(p *stats.Phases) (cells []string) {
	wait, all := None, p.Latency()
	if ns := p[dissect.PhaseCreditWait]; ns > 0 {
		wait = duration(ns)
	}
	cells = append(cells, wait)
	for _, ns := range p[dissect.PhaseCall:] {
		if all == 0 {
			cells = append(cells, None)
		} else {
			cells = append(cells, percent(ns, all))
		}
	}
	return cells
}

package words

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// phaseColumns are those of where the time went, by dissect.Phase.
func phaseColumns() [dissect.NumPhases]string {
	return [...]string{"Credit wait", "Call [%]", "RDMA Read [%]", "Server [%]", "Write [%]", "Reply", "Resent [%]", "Unknown [%]"}
}

// phases is where the time went: how long calls waited for credits and replies took to arrive, and shares of the latency.
func phases(p *stats.Phases) (cells []string) {
	all := p.Latency()
	for x, ns := range p {
		switch of := dissect.Phase(x).OfLatency(); {
		case of && all > 0:
			cells = append(cells, percent(ns, all))
		case !of && ns > 0:
			cells = append(cells, duration(ns))
		default:
			cells = append(cells, None)
		}
	}
	return cells
}

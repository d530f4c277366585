package stats

import "github.com/rdmacap/rdmacap/dissect"

// Phases are where the time of RPCs went, in nanoseconds: sums by dissect.Phase. What of an RPC
// is not known is 0.
type Phases [dissect.NumPhases]int64

// note makes them those of one RPC.
func (p *Phases) note(r *dissect.RPC) {
	parts, _ := r.Parts()
	for x := range dissect.NumPhases {
		p[x], _ = parts.Of(x)
	}
}

// Add counts others too.
func (p *Phases) Add(o *Phases) {
	for x, ns := range o {
		p[x] += ns
	}
}

// Latency is what those of the latency make together.
func (p *Phases) Latency() (ns int64) {
	for x, n := range p {
		if dissect.Phase(x).OfLatency() {
			ns += n
		}
	}
	return ns
}

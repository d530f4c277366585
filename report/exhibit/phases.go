package exhibit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

// A Part says how much of the time of an RPC went to one phase.
type Part struct {
	Phase dissect.Phase
	Name  string
	// Nanoseconds is -1 if it is not known.
	Nanoseconds int64
	// Doubt is what it may have been besides, "" for nothing.
	Doubt string
}

// PartsOf is where the time of an RPC went: what is not known, and what took any. It is not ok
// where the latency, of which most phases are parts, is not known.
func PartsOf(r *dissect.RPC) (list []Part, latency int64, ok bool) {
	p, ok := r.Parts()
	if !ok {
		return nil, 0, false
	}
	latency, _ = r.Latency()
	for x, name := range [dissect.NumPhases]string{
		"Waiting for a credit, before the call", "Until the call was acknowledged", "RDMA Reads", "In the responder", "RDMA Writes",
		"The reply, from its first frame to its last", "Retransmissions and timeouts", "Not attributable",
	} {
		part := Part{Phase: dissect.Phase(x), Name: name, Nanoseconds: -1}
		ns, ok := p.Of(part.Phase)
		if ok && ns == 0 {
			continue
		}
		if ok {
			part.Nanoseconds = ns
		}
		if p.OrLostReply && part.Phase == dissect.PhaseServer {
			part.Doubt = "or until a lost reply was retransmitted"
		}
		list = append(list, part)
	}
	return list, latency, true
}

// phases is where the time of an RPC went. It has no bytes of its own.
func phases(list []Part, latency int64) Exhibit {
	e := Exhibit{title: titled("Where the time went: " + string(field.AppendDuration(nil, latency)))}
	for i := range list {
		p := &list[i]
		n := field.Node{Name: p.Name, Value: "not known"}
		if p.Nanoseconds >= 0 {
			n.Value = string(field.AppendDuration(nil, p.Nanoseconds))
		}
		if p.Doubt != "" {
			n.Value += ", " + p.Doubt
		}
		e.Nodes = append(e.Nodes, n)
	}
	return e
}

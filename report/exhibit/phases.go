package exhibit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

// phases is where the time of an RPC went: what is not known, and what took any. It has no
// octets of its own.
func phases(r *dissect.RPC, p *dissect.Parts) Exhibit {
	latency, _ := r.Latency()
	e := Exhibit{title: titled("Where the time went: " + string(field.AppendDuration(nil, latency)))}
	for x, name := range [dissect.NumPhases]string{
		"All credits in use, before the call", "Until the call was acknowledged", "RDMA Reads", "In the responder", "RDMA Writes",
		"The reply, from its first frame to its last", "Retransmissions and time-outs", "Not told apart by the frames",
	} {
		n := field.Node{Name: name, Value: "not known"}
		ns, ok := p.Of(dissect.Phase(x))
		if ok && ns == 0 {
			continue
		}
		if ok {
			n.Value = string(field.AppendDuration(nil, ns))
		}
		if p.OrLostReply && dissect.Phase(x) == dissect.PhaseServer {
			n.Value += ", or until a lost reply was sent again"
		}
		e.Nodes = append(e.Nodes, n)
	}
	return e
}

package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A former is a call that was over without an answer since its XID serves another
// one, which is told next.
type former struct {
	rules.PastMessage
	request request
	memory  memory
}

// A repeat is a call whose XID served another one that was open. Only when it is over
// it shows whether the answer to that one is just missing from the capture.
type repeat struct {
	rules.PastMessage // the call before
	letter            string
	differs           string
	cut               bool      // one of the two is not whole
	handles           [2]uint32 // the first that each call names
}

// mostRepeats is how many repeats of a connection may be open.
const mostRepeats = 64

// repeated compares the call that has the XID.
func (x *former) repeated(m *dissect.Message) repeat {
	var now request
	now.setMessage(m)
	var memory memory
	memory.setHeader(&m.Header)
	y := repeat{PastMessage: x.PastMessage, letter: "b", differs: x.request.differs(&now)}
	y.handles = [...]uint32{x.memory.first(), memory.first()}
	switch {
	case y.differs != "":
		y.letter = "a"
	case memory != x.memory:
		y.letter = "c"
	}
	y.cut = !now.known || !x.request.known
	return y
}

// check reports a call that has the XID of one that was open, when it is over.
func (x *repeat) check(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	m := r.Call
	if m == nil || c.Disordered() || c.OneDirection() || c.LostOf(r.Requester.Peer(), x.Ref) && !c.Accounted(r.Requester.Peer(), 1) || r.Unreplied() && !c.WentOn(r.Requester.Peer(), m.Moment()) {
		return
	}
	doubt := c.DoubtOf(r.Requester.Peer(), x.Ref)
	if c.Limited(rules.Cut, x.cut) {
		doubt = finding.DoubtSnap
	}
	f := report.Part(x.letter, r, m, doubt)
	if f == nil {
		return
	}
	who, after := c.Sender(m.From), rules.Duration(m.First-x.Time)
	switch x.letter {
	case "a":
		f.Messagef("the %s sent a different request with the XID of a call that has been open for %s: %s differ", who, after, x.differs)
	case "b":
		f.Messagef("the %s retransmitted a call after %s although the connection was alive", who, after)
	case "c":
		f.Messagef("the %s retransmitted a call after %s with other memory, while the responder may still use the memory of the first", who, after)
		f.See("first handle", rules.Handle(x.handles[1]), rules.Handle(x.handles[0]))
	}
	if m.HasRPC && m.CallHeader.Program == rpc.ProgramNFS && m.CallHeader.Version == 4 && x.letter != "a" {
		f.Message += "; NFS version 4 forbids this"
	}
	f.Word(m, rpcrdma.AtXID).See("rdma_xid", rules.Handle(x.XID), nil).See("frame of the first call", x.Ref.Number, nil).With(x.Ref)
}

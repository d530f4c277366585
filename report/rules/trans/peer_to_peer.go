package trans

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
)

// readiness is how the initiator of a connection is to say that it is ready to receive, so that
// the responder may send first (RFC 6581, section 9): by its first FPDU, a message of no bytes.
type readiness struct {
	// offered are the kinds of message that the Request names, agreed those of them that the
	// Reply names too.
	offered, agreed rtrKinds
	// waits says that both start frames are whole in the capture, and the first FPDU is to come.
	waits bool
}

// rtrKinds is a set of kinds of messages of no bytes: the flags B, C and D.
type rtrKinds uint8

const (
	rtrSend rtrKinds = 1 << iota
	rtrWrite
	rtrRead
)

// kindsOf are those that a start frame names, none if it has not A.
func kindsOf(s *iwarp.Start) (k rtrKinds) {
	if !s.HasDepths || !s.PeerToPeer {
		return 0
	}
	for _, x := range [...]struct {
		kind rtrKinds
		set  bool
	}{{rtrSend, s.ZeroSend}, {rtrWrite, s.ZeroWrite}, {rtrRead, s.ZeroRead}} {
		if x.set {
			k |= x.kind
		}
	}
	return k
}

// String is "Send or RDMA Read" and the like.
func (k rtrKinds) String() string {
	var names []string
	for i, name := range [...]string{"Send", "RDMA Write", "RDMA Read"} {
		if k>>i&1 != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, " or ")
}

// start takes a start frame. Place is that of its flags A to D.
func (r *readiness) start(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, place flow.Place, report rules.Reporter) {
	s := &u.Start
	if !s.Reply {
		*r = readiness{offered: kindsOf(s)}
		return
	}
	if r.offered == 0 || s.Reject || !s.HasDepths {
		return // with revision 1, or without S, nobody agreed on anything
	}
	r.agreed = r.offered & kindsOf(s)
	if r.waits = r.agreed != 0; r.waits {
		state.Of(c).await(c)
		return
	}
	server := flow.End(1)
	x := report.Moment("c", u.Last, v.Frame.Time, &server, "")
	if x == nil {
		return
	}
	what := "does not set A (peer-to-peer)"
	if s.PeerToPeer {
		what = fmt.Sprintf("names %s", kindsOf(s))
		if kindsOf(s) == 0 {
			what = "names no kind of RTR"
		}
	}
	x.Messagef("the client's MPA Request requests peer-to-peer mode with an RTR by %s; the server's Reply accepts the connection but %s", r.offered, what)
	x.See("RTR by", kindsOf(s).String(), r.offered.String()).At(place)
}

// first takes an FPDU, and holds the initiator's first one against what was agreed.
func (r *readiness) first(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) {
	end := v.Verdict.From & 1
	if u.Last != rules.Ref(v) {
		end ^= 1 // it waited for this frame of its peer
	}
	if end != 0 {
		return
	}
	r.waits = false
	state.Of(c).await(c)
	p := &u.PDU
	if c.Lossy() || u.FPDU.Lost || u.FPDU.Fault.Bad() || u.FPDU.CRCState == iwarp.CRCWrong || p.Fault.Bad() || p.OpCode == iwarp.OpTerminate {
		return
	}
	kind := rtrKind(p)
	if kind&r.agreed != 0 {
		return
	}
	letter, what := "d", "an RTR by "+kind.String()
	if kind == 0 {
		letter, what = "e", fmt.Sprintf("no RTR (%s, %s)", p.OpCode, rules.Count(uint64(p.PayloadLength())))
	}
	x := report.Moment(letter, u.Last, v.Frame.Time, &end, "")
	if x == nil {
		return
	}
	x.Messagef("the first message of the %s is %s; the start frames agreed on an RTR by %s", c.Sender(end), what, r.agreed)
	x.See("first message", fmt.Sprintf("%s, %s", p.OpCode, rules.Count(uint64(p.PayloadLength()))), "empty "+r.agreed.String())
	x.At(placeIn(v, u, 1, 1)) // RDMAP's opcode
}

// rtrKind is what a segment of no bytes is, 0 if it is no such message.
func rtrKind(p *iwarp.PDU) rtrKinds {
	switch {
	case !p.Last:
	case (p.OpCode == iwarp.OpSend || p.OpCode == iwarp.OpSendSE) && p.PayloadLength() == 0:
		return rtrSend
	case p.OpCode == iwarp.OpWrite && p.PayloadLength() == 0:
		return rtrWrite
	case p.OpCode == iwarp.OpReadRequest:
		if q, ok := p.ReadRequest(); ok && q.Size == 0 {
			return rtrRead
		}
	}
	return 0
}

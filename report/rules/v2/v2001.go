package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Cut),
			rules.SilentIf(rules.Unpaired).Of("a long reply"),
			rules.LikelyIf(rules.LostSince).In("a").Since("the message"),
		},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message001), rules.OnRPC(rules.OtherVersion, rpc001)},
	}
}

// doubtRole is why the direction of an announcement may be meant.
const doubtRole = "a server may consider itself the responder to the client's calls"

func message001(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	switch {
	case !spoken(m) || c.Cut(m):
	case h.Fault.Bad():
		undirected(c, report, m)
	case h.Proc == rpcrdma.RDMAMsg:
		if t, ok := msgType(m.Inline(), h.XID); ok && t != h.Direction {
			carries(c, report, m, "a", "rdma_direction", t)
		}
	case h.Proc != rpcrdma.RDMA2Optional:
	case m.Role() == dissect.RoleNone:
		operation(c, report, m)
	default:
		if t, ok := msgType(m.Inline(), h.XID); ok && t != h.Direction {
			carries(c, report, m, "b", "rdma_optdir", t)
		}
	}
}

func rpc001(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	long(c, report, r, r.Call, rpcrdma.ForRead)
	long(c, report, r, r.Reply, rpcrdma.ForReply)
}

// undirected judges a header whose direction is not defined.
func undirected(c *rules.Conn, report rules.Reporter, m *dissect.Message) {
	h := &m.Header
	if h.Fault.Offset != atDirection || h.Cut || !lists(m) && h.Proc != rpcrdma.RDMA2Optional {
		return
	}
	if f := report.Message("d", m, ""); f != nil {
		f.Messagef("the direction in the %s's %s is %d, which is undefined", c.Sender(m.From), h.ProcName(), uint32(h.Direction))
		f.See("direction", uint32(h.Direction), "0 (CALL) or 1 (REPLY)").Word(m, atDirection)
	}
}

// carries reports a direction that the RPC message in the Send contradicts.
func carries(c *rules.Conn, report rules.Reporter, m *dissect.Message, letter, field string, is rpcrdma.Direction) {
	if f := report.Message(letter, m, ""); f != nil {
		f.Messagef("the %s sent an RPC message that is a %s, with %s %s", c.Sender(m.From), is, field, m.Header.Direction)
		f.See(field, m.Header.Direction.String(), is.String()).Word(m, atDirection)
	}
}

// operation judges the direction of an operation of transport characteristics.
func operation(c *rules.Conn, report rules.Reporter, m *dissect.Message) {
	o := m.Header.Option()
	if !o.Known() {
		return
	}
	is, doubt := rpcrdma.DirectionCall, ""
	switch o.Type {
	case rpcrdma.RespXchar:
		is = rpcrdma.DirectionReply
	case rpcrdma.InitXchar, rpcrdma.UpdXchar:
		if !c.RolesKnown || !c.ToServer(m.From) {
			doubt = doubtRole
		}
	}
	if m.Header.Direction == is {
		return
	}
	if f := report.Message("c", m, doubt); f != nil {
		f.Messagef("the %s sent a %s with rdma_optdir %s", c.Sender(m.From), o.Type, m.Header.Direction)
		f.See("rdma_optdir", m.Header.Direction.String(), is.String()).Word(m, atDirection)
	}
}

// long judges a message of an RPC that its chunk conveyed, as far as that was seen.
func long(c *rules.Conn, report rules.Reporter, r *dissect.RPC, m *dissect.Message, purpose rpcrdma.Purpose) {
	if !sound(c, m) || m.Header.Proc != rpcrdma.RDMANoMsg || m.Transfer != dissect.Long || r.Offer.Front(purpose) < leastRPC {
		return
	}
	content := r.Offer.LongCall
	if purpose == rpcrdma.ForReply {
		content = r.Offer.LongReply
		if m.Header.ChunkLength(m.Header.Reply) < leastRPC || !c.Paired(r) {
			return
		}
	}
	t, ok := msgType(content, r.XID)
	if !ok || t == m.Header.Direction {
		return
	}
	if f := report.Part("a", r, m, c.Doubt(m.Frame(), false)); f != nil {
		f.Messagef("the %s sent a long RPC message that is a %s, with rdma_direction %s", c.Sender(m.From), t, m.Header.Direction)
		f.See("rdma_direction", m.Header.Direction.String(), t.String()).Word(m, atDirection)
	}
}

package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr004() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.OtherXID, message004), rules.OnRPC(rules.WithoutInline, rpc004)},
	}
}

func message004(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	if h.Proc != rpcrdma.RDMAMsg || h.Fault.Bad() || !defined(h.Version) {
		return
	}
	if xid, ok := xdr.WordAt(m.Inline(), 0); ok && xid != h.XID {
		tell004(say.Message("", m, ""), m, xid, "behind the header")
	}
}

func rpc004(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if m := r.Call; m != nil && m.Header.Proc == rpcrdma.RDMANoMsg {
		if xid, ok := longXID(r, m); ok && xid != r.XID {
			tell004(say.Part("", r, m, ""), m, xid, "in the Position-Zero Read chunk")
		}
	}
	if m := r.Reply; m != nil && m.Header.Proc == rpcrdma.RDMANoMsg {
		if xid, ok := longXID(r, m); ok && xid != r.XID {
			tell004(say.Part("", r, m, ""), m, xid, "in the Reply chunk")
		}
	}
}

// tell004 says that the RPC message of a Send has another XID than the Send.
func tell004(f *rules.Finding, m *dissect.Message, xid uint32, where string) {
	if f == nil {
		return
	}
	h := &m.Header
	f.Sayf("rdma_xid is 0x%08x, but the RPC message %s begins with 0x%08x", h.XID, where, xid)
	f.See("rdma_xid", rules.Handle(h.XID), nil).See("xid", rules.Handle(xid), rules.Handle(h.XID))
	if h.Proc == rpcrdma.RDMAMsg {
		f.Word(m, h.Length)
	}
	f.Word(m, rpcrdma.AtXID)
}

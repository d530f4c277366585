package hdr

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
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

func message004(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	if h.Proc != rpcrdma.RDMAMsg || h.Fault.Bad() || !defined(h.Version) {
		return
	}
	if b := m.Inline(); startsOther(b, h.XID) {
		report004(report.Message("", m, ""), m, b, "after the header")
	}
}

func rpc004(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if m := r.Call; m != nil && m.Header.Proc == rpcrdma.RDMANoMsg {
		if b := longFront(r, m); startsOther(b, r.XID) {
			report004(report.Part("", r, m, ""), m, b, "in the Position-Zero Read chunk")
		}
	}
	if m := r.Reply; m != nil && m.Header.Proc == rpcrdma.RDMANoMsg {
		if b := longFront(r, m); startsOther(b, r.XID) {
			report004(report.Part("", r, m, ""), m, b, "in the Reply chunk")
		}
	}
}

// startsOther reports whether b begins with a word that is not xid.
func startsOther(b []byte, xid uint32) bool {
	word, ok := xdr.WordAt(b, 0)
	return ok && word != xid
}

// report004 says that the RPC message b of a Send has another XID than the Send, or none.
func report004(f *rules.Finding, m *dissect.Message, b []byte, where string) {
	if f == nil {
		return
	}
	h, xid := &m.Header, binary.BigEndian.Uint32(b)
	if call, lacks := rpc.LacksXID(b, h.XID); lacks {
		what := "REPLY"
		if call {
			what = "CALL"
		}
		f.Messagef("rdma_xid is 0x%08x, but the RPC message %s begins with its type, %s: its XID is missing", h.XID, where, what)
		f.Advise("Look at how the sender builds the message: the XID is part of the RPC message, and the transport header before it has a copy of the XID.")
	} else {
		f.Messagef("rdma_xid is 0x%08x, but the RPC message %s begins with 0x%08x", h.XID, where, xid)
	}
	f.See("rdma_xid", rules.Handle(h.XID), nil).See("first word of the RPC message", rules.Handle(xid), rules.Handle(h.XID))
	if h.Proc == rpcrdma.RDMAMsg {
		f.Word(m, h.Length)
	}
	f.Word(m, rpcrdma.AtXID)
}

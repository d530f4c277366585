package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr009() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.WithReads, message009), rules.OnRPC(rules.WithoutInline, rpc009)},
	}
}

func message009(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	if len(h.Reads) == 0 || !m.Answer || h.Fault.Bad() {
		return
	}
	if h.Proc == rpcrdma.RDMAMsg || h.Proc == rpcrdma.RDMANoMsg && m.RPC().Call != nil {
		report009(c, report.Message("", m, ""), m)
	}
}

// A reply that is itself in a Position-Zero Read chunk was taken for a call.
func rpc009(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	m := r.Call
	if m == nil || m.Transfer != dissect.Long || r.Offer.Front(rpcrdma.ForRead) < leastRPC {
		return
	}
	const reply = 1 // msg_type
	xid, _ := xdr.WordAt(r.Offer.LongCall, 0)
	if kind, ok := xdr.WordAt(r.Offer.LongCall, xdr.WordSize); ok && kind == reply && xid == r.XID {
		report009(c, report.Part("", r, m, ""), m)
	}
}

// report009 says that a reply has a Read list.
func report009(c *rules.Conn, f *rules.Finding, m *dissect.Message) {
	if f == nil {
		return
	}
	h := &m.Header
	total := uint64(0)
	for i := range h.Reads {
		total += uint64(h.Reads[i].Length)
	}
	f.Messagef("the %s's reply offers %d bytes in its Read list", c.Sender(m.From), total)
	f.See("Read segments", len(h.Reads), 0).In(m, h.ListsAt(), len(h.Reads)*rpcrdma.ReadSize)
}

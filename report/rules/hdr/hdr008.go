package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr008() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithReplyChunk, rpc008)},
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	m := r.Reply
	if m == nil || m.Header.Proc != rpcrdma.RDMAMsg || m.Header.Fault.Bad() {
		return
	}
	h := &m.Header
	if h.HasReply {
		if n := h.ChunkLength(h.Reply); n > 0 {
			if f := report.Part("", r, m, ""); f != nil {
				at := h.ReplyCountAt()
				f.Messagef("an %s reply of %d bytes returns %d bytes in the Reply chunk", h.ProcName(), m.Length-h.Length, n)
				f.See("length", n, 0).In(m, at, xdr.WordSize+h.Reply.Count*rpcrdma.SegmentSize)
			}
			return
		}
	}
	written := uint64(0)
	for i := range r.Offer.Regions {
		if g := &r.Offer.Regions[i]; g.Purpose == rpcrdma.ForReply {
			written += g.Seen.Len()
		}
	}
	if written == 0 {
		return
	}
	if f := report.As(finding.Note).Part("", r, m, ""); f != nil {
		f.Messagef("the %s placed %d bytes in the Reply chunk, but then replied inline", c.Sender(m.From), written)
		f.See("bytes placed in the Reply chunk", written, 0).Word(m, rpcrdma.AtProc)
	}
}

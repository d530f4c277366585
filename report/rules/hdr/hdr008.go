package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr008() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-008", Title: "Reply chunk used in an RDMA_MSG reply",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A reply has its RPC message inline, and yet returns the Reply chunk with a length above zero, as if the " +
			"message were in there.",
		Why: "The requester cannot tell which of the two is the reply. Linux clients take such a reply for one that cannot " +
			"be decoded, and fail the RPC with EIO.",
		Advice: "Return the Reply chunk with every length zero when the reply goes inline, or reply with RDMA_NOMSG.",
		Reference: "RFC 8166, sections 3.5.3 and 4.3.3; " +
			"draft-cel-nfsv4-rfc5666-implementation-experience-02, section 3.4.1",
		Limits: "RDMA Writes into the Reply chunk of an RPC whose reply went inline all the same, and returned the chunk " +
			"with lengths of zero, are only a note: the responder may have changed its mind.",
		Causes: []string{"HDR-005a"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithReplyChunk, rpc008)},
		Fires: []rules.Sample{
			{Name: "an inline reply returns 100 octets", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x1001 4096
				rdma write server 0x1001 100
				reply 1
				    inline
				    set replychunk.1.length 100
				    want HDR-008 28+20
				disconnect`},
			{Name: "RDMA Writes into a Reply chunk that is not used", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x1001 4096
				rdma write server 0x1001 100
				reply 1
				    inline
				    want HDR-008
				disconnect`},
			{Name: "an inline reply of version 2 returns 100 octets", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    replychunk 0x1001 4096
				rdma write server 0x1001 100
				reply 2
				    inline
				    set replychunk.1.length 100
				    want HDR-008 36+20
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a long reply of version 2, and an inline one", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    replychunk 0x1001 4096
				reply 2
				call 3 NFS3 GETATTR
				    replychunk 0x1001 4096
				reply 3
				    inline
				disconnect`},
			{Name: "an inline reply returns the Reply chunk unused", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x1001 4096
				reply 1
				    inline
				disconnect`},
		},
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	m := r.Reply
	if m == nil || m.Header.Proc != rpcrdma.RDMAMsg || m.Header.Fault.Bad() {
		return
	}
	h := &m.Header
	if h.HasReply {
		if n := h.ChunkLength(h.Reply); n > 0 {
			if f := say.Part("", r, m, ""); f != nil {
				at := h.ReplyCountAt()
				f.Sayf("an %s reply of %d octets returns %d octets in the Reply chunk", h.ProcName(), m.Length-h.Length, n)
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
	if f := say.As(rules.Note).Part("", r, m, ""); f != nil {
		f.Sayf("the %s placed %d octets in the Reply chunk, and then replied inline", c.Sender(m.From), written)
		f.See("octets placed in the Reply chunk", written, 0).Word(m, rpcrdma.AtProc)
	}
}

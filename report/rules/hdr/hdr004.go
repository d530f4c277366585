package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr004() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-004", Title: "Header xid differs from RPC xid",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The transport header carries another XID than the RPC message that it conveys, be that inline, in the " +
			"Position-Zero Read chunk or in the Reply chunk.",
		Why: "Receivers find the waiting RPC by the one or by the other. Which one they use decides which call is " +
			"completed, and so whose memory is taken for filled; a responder may also refuse the call with ERR_CHUNK.",
		Advice: "Look at where the sender takes rdma_xid from, and whether a buffer was used again before its message was " +
			"built anew. In a long message, look also at whether the chunk's memory held the message when it was read.",
		Reference: "RFC 8166, sections 4.2.1 and 4.5.2; RFC 8167, section 5.1; draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2",
		Limits: "A long message is judged only if its first octets are in the capture, and an RDMA_MSGP or RDMA2_OPTIONAL never. Which of the two XIDs is right " +
			"is not known; rdmacap pairs by that of the header.",
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.OtherXID, message004), rules.OnRPC(rules.WithoutInline, rpc004)},
		Fires: []rules.Sample{
			{Name: "an inline call", Scene: `
				connect
				call 1 NFS3 GETATTR
				    rpc xid=0x7777
				    want HDR-004
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a call and a long reply of version 2", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				    rpc xid=0x7777
				    want HDR-004
				error 1 BAD_XDR
				call 2 NFS3 READDIR count=1000
				    replychunk 0x1001 4096
				reply 2
				    rpc xid=0x7777
				    want HDR-004 0+4
				disconnect`},
			{Name: "a long call", Scene: `
				connect
				call 1 NFS3 GETATTR
				    long 0x1001 200
				    rpc xid=0x7777
				    want HDR-004 0+4
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a long reply", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x1001 4096
				reply 1
				    rpc xid=0x7777
				    want HDR-004 0+4
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "nothing of the long call was read", Scene: `
				connect
				call 1 NFS3 GETATTR
				    long 0x1001 200
				    rpc xid=0x7777
				    nopull
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "an RDMA_ERROR has no RPC message", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a long call and a long reply with one XID", Scene: `
				connect
				call 1 NFS3 GETATTR
				    long 0x1001 200
				    replychunk 0x1002 4096
				reply 1
				disconnect`},
		},
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

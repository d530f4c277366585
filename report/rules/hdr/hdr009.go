package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr009() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-009", Title: "Read list not empty in a reply",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A reply advertises memory of the responder in its Read list, for the requester to read results from. " +
			"This way of transfer (Read-Read) was in RFC 5666 and is no longer part of the protocol.",
		Why: "A requester drops the reply, and the RPC hangs until its timer fires. The responder waits in vain for the " +
			"reads, and its memory stays exposed to the client.",
		Advice: "Make the responder place results by RDMA Write into the chunks that the call offers, and answer with " +
			"ERR_CHUNK where these do not suffice.",
		Reference: "RFC 8166, section 4.3.1",
		Limits: "A message with a Position-Zero Read chunk counts as a call, unless its chunk was read and holds a reply. " +
			"An RDMA_NOMSG that answers no call in the capture is passed over.",
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.WithReads, message009), rules.OnRPC(rules.WithoutInline, rpc009)},
		Fires: []rules.Sample{
			{Name: "a READ is answered with a Read chunk", Scene: `
				connect
				call 1 NFS3 READ count=100
				reply 1 count=100 data=bytes(100)
				    read 0x2001 100 at 120
				    want HDR-009 16+24
				disconnect`},
			{Name: "a long reply that the client is to read", Scene: backChannel + `
				call 1 NFS3 GETATTR
				send server hex(00001001 00000001 00000020 00000001
				                00000001 00000000 00002001 00000018 0000000020010000 00000000 00000000 00000000)
				    want HDR-009 16+24
				rdma read client 0x2001 24@0x20010000
				    data hex(00001001 00000001 00000000 00000000 00000000 00000000)
				disconnect`},
			{Name: "a READ of version 2 is answered with a Read chunk", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				reply 2 count=100 data=bytes(100)
				    read 0x2001 100 at 120
				    want HDR-009 24+24
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a reverse call of version 2 has a Read list", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 2 [CREATE_SESSION{csr_back_chan_attrs={maxrequestsize=65536 maxresponsesize=65536}}]
				callback 7 CB_NULL
				    long 0x2001 200
				reply 7
				disconnect`},
			{Name: "it may be a reverse call that lacks its chunk", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x1001 4096
				    drop
				reply 1
				    read 0x2001 100 at none
				    set read1.position 40
				disconnect`},
			{Name: "a long reverse call", Scene: backChannel + `
				call 1 NFS3 GETATTR
				callback 7 CB_NULL
				    long 0x2001 200
				reply 7
				reply 1
				disconnect`},
			{Name: "a call has a Read list", Scene: `
				connect
				call 1 NFS3 WRITE count=100 data=bytes(100)
				    read 0x1001 100
				reply 1 count=100
				disconnect`},
		},
	}
}

// backChannel is the begin of a scene in which the client gets ready for callbacks
// of any length.
const backChannel = `
				connect
				call 101 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 101 [CREATE_SESSION{csr_back_chan_attrs={maxrequestsize=65536 maxresponsesize=65536}}]
`

func message009(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	if len(h.Reads) == 0 || !m.Answer || h.Fault.Bad() {
		return
	}
	if h.Proc == rpcrdma.RDMAMsg || h.Proc == rpcrdma.RDMANoMsg && m.RPC().Call != nil {
		tell009(c, say.Message("", m, ""), m)
	}
}

// A reply that is itself in a Position-Zero Read chunk was taken for a call.
func rpc009(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	m := r.Call
	if m == nil || m.Transfer != dissect.Long || r.Offer.Front(rpcrdma.ForRead) < leastRPC {
		return
	}
	const reply = 1 // msg_type
	xid, _ := xdr.WordAt(r.Offer.LongCall, 0)
	if kind, ok := xdr.WordAt(r.Offer.LongCall, xdr.WordSize); ok && kind == reply && xid == r.XID {
		tell009(c, say.Part("", r, m, ""), m)
	}
}

// tell009 says that a reply has a Read list.
func tell009(c *rules.Conn, f *rules.Finding, m *dissect.Message) {
	if f == nil {
		return
	}
	h := &m.Header
	total := uint64(0)
	for i := range h.Reads {
		total += uint64(h.Reads[i].Length)
	}
	f.Sayf("the %s's reply offers %d octets in its Read list", c.Sender(m.From), total)
	f.See("Read segments", len(h.Reads), 0).In(m, h.ListsAt(), len(h.Reads)*rpcrdma.ReadSize)
}

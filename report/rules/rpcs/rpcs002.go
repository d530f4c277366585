package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs002() *rules.Rule {
	return &rules.Rule{
		ID: "RPC-002", Title: "Reply without a call, second or late reply",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A reply came for which no call of its XID is open on the connection in that direction, or so late that the requester may " +
			"have given up, or had sent the call again.",
		Why: "The requester drops such a reply. It took a receive that was meant for another, and what was written to memory for it may " +
			"have gone where the call's memory was no longer its own.",
		Advice:    "Look at how the responder finds the connection and the call that a reply belongs to.",
		Reference: "RFC 8166, section 4.5; RFC 8167, sections 2 and 2.4; draft-cel-nfsv4-rfc5666-implementation-experience-02, section 8.5",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.Unheard.From(rules.Requester)).In("a"),
			rules.SilentIf(rules.BeganLate, rules.LostSince, rules.Disordered, rules.Unheard.From(rules.Requester)).In("b"),
			rules.SilentIf(rules.LostSince, rules.Disordered).In("c"),
		},
		Limits: "Case a is silent if anything of the connection could not be decoded or if no RPC came before, and about RDMA_ERROR, " +
			"which HDR-013 is about, in version 2 V2-006. An RDMA2_OPTIONAL is not judged. Second replies are told from others for " +
			"the last 256 RPCs of a connection.",
		Cases: []rules.Case{
			{Letter: "a", Title: "no call with its XID is open", Severity: rules.Warning,
				Advice: "See whether another connection has the call: a server that answers on the wrong one lets the client wait there."},
			{Letter: "b", Title: "a second reply to one call", Severity: rules.Warning},
			{Letter: "c", Title: "a reply to a call that was sent again, or that waited for very long", Severity: rules.Warning,
				Advice: "Look at what keeps the responder from answering in time: clients that give up send the call again."},
		},
		Causes: []string{"HDR-004", "HDR-013f", "RPC-003", "CREDIT-010"},
		Speaks: rules.RPCRDMA,
		On: []rules.Event{
			rules.OnMessage(rules.Roleless|rules.OtherVersion, message002), rules.OnRPC(0, rpc002), rules.OnJudged(rules.WithoutReply, judged002),
		},
		Fires: []rules.Sample{
			{Name: "a reply to no call", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				reply 2
				    xid 0x77
				    want RPC-002a 0+4
				reply 2
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "a second reply", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				reply 2
				reply 2
				    want RPC-002b 0+4
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "a reply after 40 seconds", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				wait 40s
				reply 2
				    want RPC-002c 0+4
				disconnect`},
			{Name: "a reply after the call was sent again", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				call 2 again
				    want RPC-003b
				reply 2
				    want RPC-002c 0+4
				disconnect`},
			{Name: "a reply of version 2 that nobody called for, behind transport characteristics", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				optional 9 client INIT_XCHAR [RBSIZ=8192]
				call 2 NFS3 GETATTR
				reply 2
				reply 2
				    xid 0x7777
				    want RPC-002a 0+4
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an extension of version 2 that nobody knows may have the call", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    optional 77 bytes(8)
				reply 2
				reply 2
				    xid 0x7777
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "the call is missing from the capture", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    drop
				reply 2
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "the capture began late, between a call and its reply, and the call is sent again", Scene: `
				call 1 NFS3 GETATTR
				    drop
				reply 1
				call 1 again
				reply 1
				call 2 NFS3 NULL
				reply 2`},
			{Name: "a second call is missing from the capture, and nothing of the client follows", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				reply 2
				call 2 again
				    drop
				reply 2
				disconnect`},
			{Name: "calls of one XID are told behind their replies, since an RDMA Write is missing", Scene: `
				connect
				repeat 3
				call 1 NFS3 READLINK
				    replychunk 0x801 4096
				reply 1 data=text(50)
				end
				call 1 NFS3 READLINK
				    replychunk 0x801 4096
				reply 1 data=text(50)
				    drop frame 1
				repeat 2
				call 1 NFS3 READLINK
				    replychunk 0x801 4096
				reply 1 data=text(50)
				end
				disconnect`},
			{Name: "the snap length cuts the REQ and REP, so that the calls are told behind their answers", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				call 1 again
				reply 1
				disconnect
				snap 128`},
			{Name: "the snap length cuts the Sends", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x2002 3000
				reply 2
				wait 2s
				disconnect
				snap 110`},
			{Name: "the capture began late", Scene: `
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    drop
				reply 2
				call 3 NFS3 NULL
				reply 3`},
			{Name: "a reply is sent again by the transport", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				reply 2
				    lost
				disconnect`},
			{Name: "the call was captured behind its reply", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    noack
				    late 1
				reply 2
				disconnect`},
			{Name: "the same XID in both directions", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				    xid 0x1003
				call 3 NFS4 NULL
				reply 3
				reply 2
				disconnect`},
		},
	}
}

func rpc002(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	m := r.Reply
	switch {
	case m == nil || m.Header.Fault.Bad() || extended(m):
	case r.Call == nil:
		// That the requester went on without a hole shows that its call is not
		// just missing from the capture.
		unasked(c, say, r, c.WentOn(r.Requester, m.Moment()))
	default:
		late(c, say, r)
	}
}

package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr012() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-012", Title: "RDMA_ERROR from a requester",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An end sent an RDMA_ERROR that answers no call of its peer: a client to which no reverse call was made with " +
			"that XID, or a server with the XID of its own reverse call. Only a responder may send one.",
		Why: "The receiver drops it, so that what the sender wanted to say is lost; often that a reply could not be decoded. " +
			"The sender's RPC hangs on.",
		Advice: "Look at what the sender does with a reply that it cannot decode: it has to drop it, and may close the " +
			"connection. The reply in question is most likely the one before with the same XID.",
		Reference: "RFC 8166, section 4.2.4",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut, rules.Unheard.From(rules.Receiver))},
		Limits:    "In version 2 it is V2-006's.",
		Causes:    []string{"HDR-003", "HDR-009", "HDR-006", "HDR-010", "HDR-008", "HDR-004", "HDR-005"},
		Speaks:    rules.RPCRDMA,
		Needs:     []rules.Knowledge{knownVersions()},
		On:        []rules.Event{rules.OnRPC(rules.WithoutCall, rpc012)},
		Fires: []rules.Sample{
			{Name: "a client refuses a reply", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				send client hex(00001001 00000001 00000020 00000004 00000002)
				    want HDR-012 12+4
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "a server sends an error for its own reverse call", Scene: backChannel + `
				call 1 NFS3 GETATTR
				reply 1
				callback 7 CB_NULL
				send server hex(00001007 00000001 00000020 00000004 00000002)
				    want HDR-012 12+4
				reply 7
				disconnect`},
			{Name: "a server refuses the reply to its reverse call", Scene: backChannel + `
				call 1 NFS3 GETATTR
				reply 1
				callback 7 CB_NULL
				reply 7
				send server hex(00001007 00000001 00000020 00000004 00000002)
				    want HDR-012 12+4
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a client refuses the version of a reverse call", Scene: `
				connect
				call 1 NFS3 GETATTR
				callback 7 CB_NULL
				    vers 9
				    want HDR-002a
				error 7 ERR_VERS 1 1
				    want HDR-013e
				reply 1
				disconnect`},
			{Name: "the reverse call may have come before the capture began", Scene: `
				call 1 NFS3 GETATTR
				reply 1
				send client hex(00001007 00000001 00000020 00000004 00000002)
				call 2 NFS3 GETATTR
				reply 2`},
			{Name: "only what the client sends was captured", Scene: `
				connect
				call 1 NFS3 GETATTR
				callback 7 CB_NULL
				error 7 ERR_CHUNK
				reply 1
				disconnect
				only client`},
			{Name: "a client refuses a reverse call twice, which is HDR-013's", Scene: backChannel + `
				call 1 NFS3 GETATTR
				callback 7 CB_NULL
				error 7 ERR_CHUNK
				error 7 ERR_CHUNK
				    want HDR-013f
				reply 1
				disconnect`},
			{Name: "the reverse call may be missing from the capture", Scene: `
				connect
				call 1 NFS3 GETATTR
				callback 7 CB_NULL
				    drop
				error 7 ERR_CHUNK
				reply 1
				disconnect`},
			{Name: "the reverse call and its acknowledgement may be missing, and nothing of the server follows", Scene: backChannel + `
				callback 7 CB_NULL
				    drop
				error 7 ERR_CHUNK
				disconnect`},
			{Name: "the REQ and the reverse call are missing from the capture", Scene: `
				connect
				    drop frame 1
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 7 CB_NULL
				    drop
				error 7 ERR_CHUNK
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "a client refuses a reverse call", Scene: backChannel + `
				call 1 NFS3 GETATTR
				reply 1
				callback 7 CB_NULL
				error 7 ERR_CHUNK
				disconnect`},
		},
	}
}

// rpc012 sees the RPC when it is over: a call that was captured behind its answer was found
// by then.
func rpc012(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	m := r.Reply
	if r.Call != nil || m.Header.Proc != rpcrdma.RDMAError || !fixed(m) || m.Header.Version == rpcrdma.Version2 {
		return
	}
	if answers(c, m) || c.History().Before(r) != nil || !fromRequester(c, m) || !complete(c, m) {
		return
	}
	if f := say.Part("", r, m, ""); f != nil {
		sender := c.Sender(m.From)
		f.Sayf("the %s sent an RDMA_ERROR for 0x%08x, which no call of the %s has", sender, r.XID, c.Sender(m.From.Peer()))
		f.See("rdma_xid", rules.Handle(r.XID), nil).Word(m, rpcrdma.AtProc)
	}
}

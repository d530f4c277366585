package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2006() *rules.Rule {
	return &rules.Rule{
		ID: "V2-006", Title: "RDMA2_ERROR malformed",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "An RDMA2_ERROR contradicts version 2 or the request that it answers: its code is not defined, what goes with the code is too short " +
			"or impossible, or XID or version are not those of any request.",
		Why: "A requester drops an error that it cannot decode or cannot pair with a request, and the RPC that the error was to end hangs until " +
			"its timer fires.",
		Advice: "Look at the responder's error path: rdma_xid and rdma_vers have to be copied from the request, and each code has its own words " +
			"behind it.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, sections 4.1, 4.2, 5.2 and 5.2.4",
		Gates: rules.Gates{
			rules.SilentIf(rules.Unpaired, rules.Cut),
			rules.LikelyIf(rules.LostSince).In("d"),
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut, rules.Unheard.From(rules.Receiver)).Of("an error without a request"),
		},
		Limits: "Octets behind an error are V2-004's. That no request has its XID is said only of a connection whose set-up had " +
			"private data and on which all messages have version 2. An error for a version that is not defined is HDR-013's; one " +
			"of version 1 for the first message of version 2 is V2-009's.",
		Cases: []rules.Case{
			{Letter: "a", Title: "rdma_err is not defined", Severity: rules.Error},
			{Letter: "b", Title: "what goes with the code is too short or impossible", Severity: rules.Error},
			{Letter: "c", Title: "a direction stands before rdma_err", Severity: rules.Note,
				Advice: "The words of the draft ask for it and its XDR does not: prefer the XDR, so that an ERR_VERS can be read by a peer of version 1."},
			{Letter: "d", Title: "XID or version are not those of the request", Severity: rules.Error},
			{Letter: "e", Title: "from an end that nobody asked for anything", Severity: rules.Error},
		},
		Causes: []string{"V2-007"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownRequests()},
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion|rules.OtherProcedure, message006), rules.OnEnd(end006)},
		Fires: []rules.Sample{
			{Name: "error code 9", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				error 2 9
				    want V2-006a err
				disconnect`},
			{Name: "CANT_REPLY without its words", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				error 2 CANT_REPLY FALSE 0 0
				    cut 8
				    want V2-006b
				disconnect`},
			{Name: "processed is 2", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				error 2 CANT_REPLY FALSE 0 0
				    set processed 2
				    want V2-006b processed
				disconnect`},
			{Name: "versions 2 to 1", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				error 1 ERR_VERS 2 1
				    want V2-006b low+0+8
				disconnect`},
			{Name: "a direction before the code", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				error 2 CANT_REPLY FALSE 0 0
				    directed
				    want V2-006c direction
				disconnect`},
			{Name: "an error for a call that was never made", Scene: `
				connect version=2 client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				error 2 CANT_REPLY FALSE 0 0
				    xid 0x9999
				    want V2-006d xid
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "an error of version 1", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				error 2 ERR_CHUNK
				    version 1
				    want V2-006d vers
				disconnect`},
			{Name: "an error of version 2 for a call of version 1", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				    version 2
				    want V2-006d vers
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "a client's error, though nobody called it", Scene: `
				connect version=2 client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				error 9 client BAD_XDR
				    want V2-006e proc
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "an error for a call of the sender's own", Scene: `
				connect version=2 client=4096/4096 server=4096/4096
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				reply 2
				error 2 server BAD_XDR
				    want V2-006e proc
				call 3 NFS4 NULL
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "errors for calls and operations", Scene: `
				connect version=2 client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 50
				    want DDP-020a
				error 2 CANT_REPLY TRUE 1 100
				optional 3 client INIT_XCHAR [RBSIZ=8192]
				error 3 INVAL_OPTION
				optional 4 client 77 ""
				error 4 INVAL_OPTION
				call 5 NFS3 GETATTR
				    direction 7
				    want V2-001d
				error 5 BAD_XDR
				call 6 NFS3 GETATTR
				reply 6
				disconnect`},
			{Name: "version 2 is refused, as version 1 asks for", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				version 1
				call 1 again
				reply 1
				disconnect`},
			{Name: "an error for a callback", Scene: `
				connect version=2 client=4096/4096 server=4096/4096
				optional 1 client INIT_XCHAR [BRS=GENL]
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_COMPOUND [CB_GETATTR{fh="fh"}]
				    replychunk 0x1001 40
				error 2 CANT_REPLY FALSE 1 400
				call 3 NFS4 NULL
				reply 3
				disconnect`},
			{Name: "the call is missing from the capture", Scene: `
				connect version=2 client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				    drop
				error 2 CANT_REPLY FALSE 0 0
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "the capture began late", Scene: `
				version 2
				call 1 NFS3 GETATTR
				reply 1
				error 2 server CANT_REPLY FALSE 0 0
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
		},
	}
}

func message006(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	if h.Proc != rpcrdma.RDMAError || h.Length < rpcrdma.FixedSize {
		return
	}
	if spoken(m) && !c.Cut(m) {
		contents(c, say, m)
		if requestsOf(c).asked == nil && (m.RPC() == nil || m.RPC().Call == nil) {
			of(c).orphans.add(m)
		}
	}
	copied(c, say, m)
}

func end006(c *rules.Conn, say rules.Say) {
	if k := ifAny(c); k != nil && len(k.orphans.list) > 0 && requestsOf(c).complete() {
		k.orphans.tell(c, say, requestsOf(c))
	}
}

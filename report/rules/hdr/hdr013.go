package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr013() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-013", Title: "RDMA_ERROR contents invalid",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An RDMA_ERROR contradicts itself or the request that it answers: its code or its range of versions makes no " +
			"sense, it has another version than the request, there is no such request, or it had its answer already.",
		Why: "A requester drops an error that it cannot decode or cannot pair with a call, and the RPC that the error " +
			"was to end hangs until its timer fires.",
		Advice: "Look at the responder's error path: rdma_xid and rdma_vers have to be copied from the request, and one " +
			"request has exactly one answer, an RPC reply or an RDMA_ERROR.",
		Reference: "RFC 8166, sections 4.5 and 4.5.1; draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2.4",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut, rules.Unheard.From(rules.Requester)).In("d"),
			rules.SilentIf(rules.BeganLate, rules.LostSince, rules.Disordered, rules.Unheard.From(rules.Requester)).In("f"),
			rules.SilentIf(rules.Unpaired).In("ce"),
			rules.LikelyIf(rules.LostSince).In("ce"),
		},
		Limits: "Case d needs private data in the set-up, so that no Send can have been overlooked; a client's error for no call is " +
			"HDR-012's. Of version 2 cases c and f are judged here, the others are V2-006's.",
		Cases: []rules.Case{
			{Letter: "a", Title: "rdma_err is not defined", Severity: rules.Error},
			{Letter: "b", Title: "ERR_VERS with its lowest version above its highest", Severity: rules.Error},
			{Letter: "c", Title: "ERR_VERS allows the version that it refuses", Severity: rules.Error},
			{Letter: "d", Title: "no request has its XID", Severity: rules.Error},
			{Letter: "e", Title: "its version is not that of the request", Severity: rules.Error},
			{Letter: "f", Title: "the request had an answer already", Severity: rules.Error},
		},
		Causes: []string{"HDR-002a"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{rules.OnMessage(rules.OtherProcedure, message013), rules.OnRPC(rules.WithoutCall, rpc013)},
		Fires: []rules.Sample{
			{Name: "error code 9", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 9
				    want HDR-013a 16+4
				disconnect`},
			{Name: "versions 2 to 1", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_VERS 2 1
				    want HDR-013b 20+8
				disconnect`},
			{Name: "version 1 is refused, and only version 1 is spoken", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_VERS 1 1
				    want HDR-013c 20+8
				disconnect`},
			{Name: "an error for a call that was never made", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				    xid 0x9999
				    want HDR-013d 0+4
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "the responder puts its own version into the error", Scene: `
				connect
				call 1 NFS3 GETATTR
				    vers 9
				    want HDR-002a
				error 1 ERR_VERS 1 1
				    want HDR-013e 4+4
				disconnect`},
			{Name: "a reply of version 2, and then an error", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				error 1 BAD_XDR
				    want HDR-013f 0+4
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "a reply, and then an error", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				error 1 ERR_CHUNK
				    want HDR-013f 0+4
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the requester asks again with more room, as version 2 allows", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x801 50
				    want DDP-020a
				error 1 CANT_REPLY FALSE 1 100
				call 1 again
				    write 0x801 100
				reply 1 data=bytes(100)
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "the only call may be missing, with its acknowledgement, and nothing of the client follows", Scene: `
				connect
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 GETATTR
				    drop
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "the second call may be missing, and nothing of the client follows", Scene: `
				connect
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 GETATTR
				reply 1
				call 1 again
				    drop
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "only the REQ is missing, so that the calls are told behind their answers", Scene: `
				connect
				    drop frame 1
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				call 1 again
				reply 1
				disconnect`},
			{Name: "the snap length cuts the REQ and REP", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				call 1 again
				reply 1
				disconnect
				snap 128`},
			{Name: "what calls the connection began with was not recognised", Scene: `
				connect client=none server=none
				call 1 NFS3 GETATTR
				    vers 9
				call 2 NFS3 GETATTR
				reply 2
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "the second call with that XID may be missing from the capture", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				call 1 again
				    drop
				error 1 ERR_CHUNK
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "two replies, and no RDMA_ERROR among them", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				reply 1
				disconnect`},
			{Name: "the call may be missing from the capture", Scene: `
				connect
				call 1 NFS3 GETATTR
				    drop
				error 1 ERR_CHUNK
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "a version that is not spoken is refused", Scene: `
				connect
				call 1 NFS3 GETATTR
				    version 2
				error 1 ERR_VERS 1 1
				disconnect`},
			{Name: "the call may have come before the capture began", Scene: `
				call 1 NFS3 GETATTR
				reply 1
				error 1 ERR_CHUNK
				    xid 0x9999
				disconnect`},
			{Name: "the XID is used again after an error", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				call 1 again
				reply 1
				disconnect`},
		},
	}
}

func message013(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if m.Header.Proc == rpcrdma.RDMAError && fixed(m) {
		contents(c, say, m)
	}
}

// When the RPC is over, a call that was captured behind its answer was found.
func rpc013(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil {
		superfluous(c, say, r)
	}
}

package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs001() *rules.Rule {
	return &rules.Rule{
		ID: "RPC-001", Title: "Call never answered",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "Neither a reply nor an RDMA_ERROR came for a call until the connection ended, or for longer than such a call may take " +
			"before the capture ended.",
		Why: "A responder answers every call, or closes the connection if it cannot. The requester waits for ever, or sends the call again " +
			"on a new connection, where it may be executed a second time.",
		Advice: "See how far the call came, and look for the fault there.",
		Reference: "RFC 8166, section 4.5.4; RFC 8881, section 2.9.2; draft-cel-nfsv4-rfc5666-implementation-experience-02, section 8.5; " +
			"draft-dnoveck-nfsv4-nfsulb-01, section 5.6",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Uncalled),
			rules.LikelyIf(rules.Lossy, rules.Disordered, rules.Unheard.From(rules.Responder)),
		},
		Limits: "What shows a loss is a message of the responder that is later than any answer may be, or that the connection was " +
			"broken off. Silent for a call whose header is malformed, for an RDMA2_OPTIONAL, for calls that end a security " +
			"context, and for asynchronous procedures of NLM. Whether the responder's adapter acknowledged the very call is not " +
			"looked at, only whether any frame of it came later.",
		Causes: []string{"HDR-001", "HDR-006", "HDR-009", "HDR-013", "THRESH-010", "TRANS-006", "TRANS-004", "TRANS-005", "TRANS-003", "TRANS-012",
			"CREDIT-003", "CREDIT-001", "CREDIT-006", "CREDIT-008", "CREDIT-010", "CREDIT-005", "ULB-011", "CM-007"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithoutReply, rpc001)},
		Fires: []rules.Sample{
			{Name: "the connection ends with an open call", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    want RPC-001 0+4
				wait 1s
				disconnect`},
			{Name: "the data of a READ are written, and no reply follows", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" offset=0 count=3000
				    write 0x100 3000
				    want RPC-001 0+4
				rdma write server 0x100 3000
				disconnect`},
			{Name: "the capture goes on for 40 seconds", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    want RPC-001 0+4
				wait 40s
				call 3 NFS3 NULL
				reply 3`},
			{Name: "a callback is not answered", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				    want RPC-001 0+4
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an extension of version 2 may leave a call without an answer", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    optional 77 bytes(8)
				call 3 NFS3 GETATTR
				reply 3
				wait 60s
				call 4 NFS3 GETATTR
				reply 4
				disconnect`},
			{Name: "the capture ends first", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				wait 5s
				call 3 NFS3 NULL
				reply 3`},
			{Name: "the reply is missing from the capture", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				reply 2
				    drop
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "an RDMA_ERROR answers", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				error 2 ERR_CHUNK
				disconnect`},
			{Name: "a call that ends a security context", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    cred gss procedure=destroy service=none seq=9 handle=hex(01020304)
				disconnect`},
			{Name: "a long reply of the client whose reverse call is missing from the capture", Scene: `
				connect
				call 1 NFS4 COMPOUND [EXCHANGE_ID]
				reply 1
				callback 7 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    replychunk 0x801 4096
				    drop frame 1
				    noack
				reply 7
				disconnect`},
			{Name: "only one direction was captured", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				disconnect
				only client`},
		},
	}
}

// doubtLast is why a responder may have answered after all.
const doubtLast = "no message of the responder follows so late that none can be missing behind it"

func rpc001(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Reply != nil || r.Call == nil || !c.RolesKnown || r.Call.Header.Fault.Bad() || extended(r.Call) || !c.Whole(r.Call.Frame()) || !c.Called(r) {
		return
	}
	over, end := true, c.LastTime
	switch c.Closing {
	case flow.Open:
		if !c.Capture.Over {
			return // its XID serves another call: RPC-003
		}
		over, end = false, max(end, c.Capture.Now)
	case flow.Replaced:
		over = false // nobody knows when it ended
	}
	age := end - r.Call.Last
	if !over && age <= int64(c.Capture.Config.Unanswered) || mayGoUnanswered(r.CallHeader()) {
		return
	}
	doubt := ""
	if c.Lossy() {
		doubt = rules.DoubtLoss
	} else if c.Disordered() {
		doubt = rules.DoubtOrder
	} else if broken := c.Closing == flow.Terminated || c.Closing == flow.Reset; !broken &&
		c.Spoke(r.Requester.Peer())-r.Call.Last <= int64(c.Capture.Config.Unanswered) {
		doubt = doubtLast
	}
	if f := say.RPC("", r, doubt); f != nil {
		s := stageOf(r, c.LastSeen(r.Requester.Peer()).Time)
		what := "connection"
		if !over {
			what = "capture"
		}
		f.Sayf("the %s ended %s after a call that the %s had not answered; %s", what, rules.Duration(age), c.Sender(r.Requester.Peer()), s.text)
		f.Advise("%s", s.advice)
		f.See("time without an answer", rules.Duration(age), nil)
		f.See("octets read of the call's Read chunks", r.Offer.ReadOctets, nil)
		f.See("octets written to its Write and Reply chunks", r.Offer.WriteOctets, nil)
		f.Word(r.Call, rpcrdma.AtXID)
	}
}

// extended reports whether a message is an RDMA2_OPTIONAL: what may answer it, and
// whether it is all of an RPC message, only its extension says.
func extended(m *dissect.Message) bool {
	return m.Header.Version == rpcrdma.Version2 && m.Header.Proc == rpcrdma.RDMA2Optional
}

// mayGoUnanswered reports whether a responder may leave a call without a reply.
func mayGoUnanswered(h *rpc.Call) bool {
	switch {
	case h == nil:
		return false
	case h.Control() && h.Cred.GSS.Proc == rpc.GSSDestroy:
		return true
	}
	const firstAsync, lastAsync = 6, 15 // NLM_TEST_MSG to NLM_GRANTED_RES
	return h.Program == rpc.ProgramNLM && h.Procedure >= firstAsync && h.Procedure <= lastAsync
}

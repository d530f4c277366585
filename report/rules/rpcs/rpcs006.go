package rpcs

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs006() *rules.Rule {
	return &rules.Rule{
		ID: "RPC-006", Title: "RPC failure or malformed RPC header",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "The responder did not execute a call, and says why at the level of RPC: PROG_UNAVAIL, PROG_MISMATCH, PROC_UNAVAIL, SYSTEM_ERR, or " +
			"MSG_DENIED. Case b: an RPC header itself is malformed.",
		Why: "Some of these belong to a healthy mount, as when a client asks for ACLs that the server does not have. Others show " +
			"a wrong port, an expired credential, or a sender that builds headers nobody can read.",
		Advice:    "See whether the program and version are what the server is meant to offer on this port.",
		Reference: "RFC 5531, sections 8.2 and 9",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut)},
		Limits: "Silent about AUTH_ERROR with RPCSEC_GSS_CREDPROBLEM or RPCSEC_GSS_CTXPROBLEM, by which servers ask for a new security " +
			"context, and about GARBAGE_ARGS, which RPC-005 is about.",
		Cases: []rules.Case{
			{Letter: "b", Title: "the RPC header is malformed", Severity: rules.Error,
				Advice: "Look at how the sender builds the RPC header; with RPC-over-RDMA also at where the transport header ends."},
		},
		Causes: []string{"HDR-003", "HDR-004", "DDP-004b"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.Malformed|rules.OtherXID|rules.OtherProcedure, malformed), rules.OnRPC(rules.WithoutInline|rules.Refused, rpc006)},
		Fires: []rules.Sample{
			{Name: "a program that the server does not have", Scene: `
				connect
				call 1 NFSACL3 NULL
				reply 1 PROG_UNAVAIL
				    want RPC-006 -4+4
				disconnect`},
			{Name: "a credential that is too weak", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				reply 1 AUTH_ERROR 5
				    want RPC-006
				disconnect`},
			{Name: "three calls that are refused for different reasons", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1 AUTH_ERROR 1
				    want RPC-006 -8+8
				call 2 NFS3 GETATTR
				reply 2 PROG_MISMATCH 4 4
				    want RPC-006 -12+12
				call 3 NFS3 GETATTR
				reply 3 PROG_UNAVAIL
				    want RPC-006 -4+4
				call 4 NFS3 GETATTR
				reply 4 PROG_UNAVAIL
				disconnect`},
			{Name: "another version of RPC", Scene: `
				connect
				call 1 NFS3 NULL
				    rpc rpcvers=3
				    want RPC-006b rpc+8+4
				reply 1 RPC_MISMATCH 2 2
				    want RPC-006
				disconnect`},
			{Name: "neither call nor reply", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    rpc mtype=2
				    want RPC-006b rpc+4+4
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "a verifier of 404 octets", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				reply 1
				    verf 6 bytes(404)
				    want RPC-006b
				disconnect`},
			{Name: "a Long Reply with an accept_stat of 9", Scene: `
				connect
				call 1 NFS3 READDIRPLUS dir="fh"
				    replychunk 0x100 4096
				reply 1
				    rpc accept=9
				    want RPC-006b
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the server asks for a new security context", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				reply 1 AUTH_ERROR 13
				disconnect`},
			{Name: "a Long Call that was refused before it was read", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				    long 0x100 200
				    nopull
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a verifier of 400 octets", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				reply 1
				    verf 6 bytes(400)
				disconnect`},
			{Name: "the snap length cuts the credential", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				    cred gss service=none seq=1 handle=bytes(300)
				reply 1
				disconnect
				snap 140`},
		},
	}
}

func rpc006(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	malformedLong(c, say, r)
	refused(c, say, r)
}

// malformed judges the inline RPC header of a message.
func malformed(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if c.Cut(m) || m.Header.Fault.Bad() || m.Header.Proc != rpcrdma.RDMAMsg && m.Header.Proc != rpcrdma.RDMAMsgP {
		return
	}
	if fault := m.RPCFault(); fault.Bad() {
		if m.Length-m.Header.Length < 8 {
			return // HDR-005
		}
		if f := say.Message("b", m, ""); f != nil {
			f.Sayf("the RPC header of a message of the %s is malformed: %s", c.Sender(m.From), fault.Reason)
			f.See("octet of the Send", fault.Offset, nil).Word(m, fault.Offset)
		}
		return
	}
	const atType, lastType = 4, 1 // msg_type: CALL or REPLY
	if b := m.Inline(); len(b) >= 8 {
		if t := binary.BigEndian.Uint32(b[atType:]); t > lastType {
			if f := say.Message("b", m, ""); f != nil {
				f.Sayf("a message of the %s is neither call nor reply", c.Sender(m.From))
				f.See("msg_type", t, nil).Word(m, m.Header.Length+atType)
			}
		}
	}
}

// malformedLong judges the RPC headers of long messages.
func malformedLong(c *rules.Conn, say rules.Say, r *dissect.RPC) {
	if !r.Complete {
		return
	}
	// A responder that refuses a call with RDMA_ERROR need not have read all of it.
	length, _ := r.Call.Header.PositionZero()
	if m := r.Call; m.Transfer == dissect.Long && m.CallHeader.Fault.Bad() && r.Offer.Front(rpcrdma.ForRead) >= length {
		if f := say.Part("b", r, m, ""); f != nil {
			f.Sayf("the RPC header of a Long Call is malformed: %s", m.CallHeader.Fault.Reason)
			f.See("octet of the RPC message", m.CallHeader.Fault.Offset, nil)
		}
	}
	if m := r.Reply; m.Transfer == dissect.Long && m.ReplyHeader.Fault.Bad() {
		if f := say.Part("b", r, m, ""); f != nil {
			f.Sayf("the RPC header of a Long Reply is malformed: %s", m.ReplyHeader.Fault.Reason)
			f.See("octet of the RPC message", m.ReplyHeader.Fault.Offset, nil)
		}
	}
}

// A refusal is what tells the findings about replies that refuse a call apart.
type refusal struct {
	denied    bool
	reject    rpc.RejectStat
	auth      rpc.AuthStat
	accept    rpc.AcceptStat
	low, high uint32
	program   uint32
}

// refused judges a reply that says that the call was not executed.
func refused(c *rules.Conn, say rules.Say, r *dissect.RPC) {
	h := r.ReplyHeader()
	if h == nil || !h.Denied && (h.Accept == rpc.Success || h.Accept == rpc.GarbageArgs) {
		return
	}
	if h.Denied && h.Reject == rpc.AuthError && (h.Auth == rpc.GSSCredProblem || h.Auth == rpc.GSSCtxProblem) {
		return
	}
	kind := refusal{denied: h.Denied, reject: h.Reject, auth: h.Auth, accept: h.Accept, low: h.Low, high: h.High}
	if call := r.CallHeader(); call != nil {
		kind.program = call.Program
	}
	f := say.Key(kind).RPC("", r, "")
	if f == nil {
		return
	}
	who := c.Sender(r.Reply.From)
	words := 1
	switch {
	case h.Denied && h.Reject == rpc.AuthError:
		f.Sayf("the %s denied a call: %s, %s", who, h.Reject, h.Auth)
		f.See("auth_stat", h.Auth.String(), nil)
		words = 2
	case h.Denied:
		f.Sayf("the %s denied a call: %s, it speaks versions %d to %d of RPC", who, h.Reject, h.Low, h.High)
		f.See("reject_stat", h.Reject.String(), nil)
		words = 3
	case h.Accept == rpc.ProgMismatch:
		f.Sayf("the %s did not execute a call: %s, it has versions %d to %d", who, h.Accept, h.Low, h.High)
		f.See("accept_stat", h.Accept.String(), rpc.Success.String())
		words = 3
	default:
		f.Sayf("the %s did not execute a call: %s", who, h.Accept)
		f.See("accept_stat", h.Accept.String(), rpc.Success.String())
	}
	if r.Reply.Transfer != dissect.Long {
		f.In(r.Reply, r.Reply.Header.Length+h.Length-4*words, 4*words)
	}
}

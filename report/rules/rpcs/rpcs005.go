package rpcs

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs005() *rules.Rule {
	return &rules.Rule{
		ID: "RPC-005", Title: "GARBAGE_ARGS",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "The responder could not decode the arguments of a call. It is an error of the responder's if it said so in a Long Reply " +
			"instead of an RDMA_MSG.",
		Why: "Over RDMA the usual reason is a chunk: data that may not move by one, a wrong Position, or a length that does not fit. " +
			"The call fails with an I/O error, and fails again each time that it is sent.",
		Advice: "Look at the findings about the call first; where there are none, compare its arguments with the protocol's XDR, or see " +
			"whether the responder could unwrap what RPCSEC_GSS protects.",
		Reference: "RFC 8166, section 4.5.2; RFC 8267, section 6.4.2; draft-dnoveck-nfsv4-nfsulb-01, sections 2.4 and 5.5",
		Limits:    "A Long Reply is judged only if all of it was captured. That the reply must be an RDMA_MSG is said of version 1.",
		Causes: []string{"DDP-001", "DDP-004", "DDP-005", "DDP-007", "DDP-009", "DDP-002", "DDP-003", "DDP-006", "HDR-003", "HDR-007", "HDR-004", "HDR-005",
			"ULB-011", "THRESH-009", "HDR-016"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnJudged(rules.Refused, judged005), rules.OnPosted(garbage005)},
		Fires: []rules.Sample{
			{Name: "GARBAGE_ARGS", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				reply 1 GARBAGE_ARGS
				    want RPC-005 -4+4
				disconnect`},
			{Name: "GARBAGE_ARGS for encrypted arguments", Scene: `
				connect
				call 1 NFS3 GETATTR raw=bytes(60)
				    cred gss service=privacy seq=2 handle=hex(01020304)
				reply 1 GARBAGE_ARGS
				    want RPC-005 -4+4
				disconnect`},
			{Name: "GARBAGE_ARGS in the Reply chunk", Scene: `
				connect
				call 1 NFS3 READDIRPLUS dir="fh"
				    replychunk 0x100 4096
				reply 1 GARBAGE_ARGS
				    want RPC-005
				disconnect`},
			{Name: "GARBAGE_ARGS in the Reply chunk of version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READDIRPLUS dir="fh"
				    replychunk 0x100 4096
				reply 2 GARBAGE_ARGS
				    want RPC-005
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "NFS itself refuses the arguments", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				reply 1 NFS3ERR_BADHANDLE
				disconnect`},
			{Name: "the security context is gone", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				reply 1 AUTH_ERROR 13
				disconnect`},
		},
	}
}

// garbage is a reply of GARBAGE_ARGS.
type garbage struct {
	about *rules.About
	long  bool // it is a Long Reply of version 1
	said  rules.SaidOf
}

func judged005(c *rules.Conn, r *dissect.RPC, _ rules.Say) {
	h := r.ReplyHeader()
	if h == nil || h.Denied || h.Accept != rpc.GarbageArgs {
		return
	}
	f, who := rules.AboutRPC(r), c.Sender(r.Reply.From)
	f.Sayf("the %s could not decode the arguments", who)
	long := r.Reply.Header.Proc == rpcrdma.RDMANoMsg && r.Reply.Header.Version == rpcrdma.Version1
	if long {
		f.Sayf("the %s could not decode the arguments, and says so in a Long Reply", who)
		f.See("rdma_proc", r.Reply.Header.Proc.String(), rpcrdma.RDMAMsg.String())
	} else {
		f.Word(r.Reply, r.Reply.Header.Length+h.Length-xdr.WordSize)
	}
	f.See("accept_stat", h.Accept.String(), rpc.Success.String())
	if call := r.CallHeader(); call != nil && call.Protected() {
		f.Message += "; they are protected by RPCSEC_GSS, so it may be that it could not unwrap them"
		f.Advise("Look first at whether the responder can unwrap what RPCSEC_GSS protects (%s): its log, its keys, and whether "+
			"a smaller or unprotected call succeeds.", call.Cred.GSS.Service)
	}
	if r.Call != nil {
		f.See("frame of the call", r.Call.Frame().Number, nil).With(r.Call.Frame())
	}
	rules.Post(c, garbage{f, long, c.SaidOf(r)})
}

// garbage005 adds what was found about the call, to which Across contributes.
func garbage005(e *rules.Entry, x *garbage, say rules.Say) {
	if x.long {
		say = say.As(rules.Error)
	}
	list := e.Said(&x.said)
	if f := say.About("", x.about, ""); f != nil {
		f.See("findings about the call", ids(list), nil)
	}
}

// ids are the rules that found something about an RPC.
func ids(list []rules.Said) string {
	if len(list) == 0 {
		return "none"
	}
	var b strings.Builder
	for i := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(list[i].ID())
	}
	return b.String()
}

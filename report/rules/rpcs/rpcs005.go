package rpcs

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs005() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnCheckedRPC(rules.Refused, checked005), rules.OnPublished(garbage005)},
	}
}

// unread is the rule for calls that were answered without having been read.
const unread = "DDP-018"

// garbage is a reply of GARBAGE_ARGS.
type garbage struct {
	about    *rules.About
	long     bool // it is a Long Reply of version 1
	reported rules.ReportedOf
}

func checked005(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	h := r.ReplyHeader()
	if h == nil || h.Denied || h.Accept != rpc.GarbageArgs {
		return
	}
	f, who := rules.AboutRPC(r), c.Sender(r.Reply.From)
	f.Messagef("the %s could not decode the arguments", who)
	long := r.Reply.Header.Proc == rpcrdma.RDMANoMsg && r.Reply.Header.Version == rpcrdma.Version1
	if long {
		f.Messagef("the %s could not decode the arguments, and said so in a Long Reply", who)
		f.See("rdma_proc", r.Reply.Header.Proc.String(), rpcrdma.RDMAMsg.String())
	} else {
		f.Word(r.Reply, r.Reply.Header.Length+h.Length-xdr.WordSize)
	}
	f.See("accept_stat", h.Accept.String(), rpc.Success.String())
	if call := r.CallHeader(); call != nil && call.Protected() {
		f.Message += "; they are protected by RPCSEC_GSS, so it may have failed to unwrap them"
		f.Advise("Check first whether the responder can unwrap the data that RPCSEC_GSS protects (%s): look at its log and its keys, and try whether "+
			"a smaller or unprotected call succeeds.", call.Cred.GSS.Service)
	}
	if r.Call != nil {
		f.See("frame of the call", r.Call.Frame().Number, nil).With(r.Call.Frame())
	}
	rules.Publish(c, garbage{f, long, c.ReportedOf(r)})
}

// garbage005 adds what was found about the call, to which CrossConnection contributes.
func garbage005(e *rules.ConnRef, x *garbage, report rules.Reporter) {
	if x.long {
		report = report.As(finding.Error)
	}
	list := e.Reported(&x.reported)
	if f := report.About("", x.about, ""); f != nil {
		f.See("findings about the call", ids(list), nil)
		if slices.ContainsFunc(list, func(s rules.Reported) bool { return s.Rule.ID == unread }) {
			f.Advise("The responder had not requested the whole call by RDMA Read (%s): look there, not at the encoding of the call.", unread)
		}
	}
}

// ids are the rules that found something about an RPC.
func ids(list []rules.Reported) string {
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

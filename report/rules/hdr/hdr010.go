package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Unpaired), rules.LikelyIf(rules.BeganLate),
			rules.LikelyIf(rules.LostSince.From(rules.Requester)).In("abdef"),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Requester), rules.LostAround.From(rules.Requester)).In("c"),
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithChunks, rpc010)},
	}
}

func rpc010(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || r.Reply == nil || r.Call.Header.Version != r.Reply.Header.Version {
		return
	}
	call, reply := &r.Call.Header, &r.Reply.Header
	if len(call.Segments)+len(call.Writes)+len(reply.Segments)+len(reply.Writes) == 0 && !call.HasReply && !reply.HasReply {
		return
	}
	if call.Fault.Bad() || reply.Fault.Bad() || reply.Proc == rpcrdma.RDMAError ||
		call.Proc == rpcrdma.RDMA2Optional || reply.Proc == rpcrdma.RDMA2Optional {
		return
	}
	if !c.Paired(r) {
		return
	}
	e := echo{c, report, r, call, reply}
	e.writes()
	e.replyChunk()
}

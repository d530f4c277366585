package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
)

func thresh008() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Client), rules.AnyCut).Of("messages of version 2"),
			rules.LikelyIf(rules.BeganLate, rules.Lossy.From(rules.Client)).Of("messages of version 2"),
		},
		Fields: size.Fields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithReplyChunk, rpc008)},
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || !r.Call.Header.HasReply || !c.Sound(r.Call) || c.Opaque(r) {
		return
	}
	l, known := setup.ReceivedOf(c).LimitAt(r.Call.Header.Version, r.Requester.Peer(), r.Call.Frame(), r.Call.Last)
	if l, known = atLeast(c, r.Call.Header.Version, l, known); !known {
		return
	}
	offered := r.Call.Header.ChunkLength(r.Call.Header.Reply)
	if m := r.Reply; m != nil && m.Transfer == dissect.Long && readable(c, m) && m.Header.Proc == rpcrdma.RDMANoMsg && m.Header.HasReply {
		if needed := shortReply(&m.Header); needed <= uint64(l.Bytes) {
			if f := report.Part("a", r, m, l.Doubt); f != nil {
				f.Messagef("a reply that needs %d bytes inline was sent in the Reply chunk of %d bytes that the call offers; the threshold is %d bytes",
					needed, offered, l.Bytes)
				f.See("bytes needed inline", needed, nil).See("inline threshold", l.Bytes, nil).See("Reply chunk", offered, nil)
				f.ReplyChunk(m)
			}
		}
	}
	if offered == 0 {
		return
	}
	most, bounded := size.Of(c.Capture).Most(r.CallHeader(), r)
	needed := uint64(r.Call.Header.LeastSize()) + writeList(&r.Call.Header) + size.MostHeader + most
	if !bounded || needed > uint64(l.Bytes) {
		return
	}
	if f := report.Part("b", r, r.Call, l.Doubt); f != nil {
		f.Messagef("the call offers a Reply chunk of %d bytes; no reply to it needs more than %d, and the threshold is %d bytes", offered, needed, l.Bytes)
		f.See("longest reply", needed, nil).See("inline threshold", l.Bytes, nil).See("Reply chunk", offered, nil)
		f.ReplyChunk(r.Call)
	}
}

package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Unpaired).In("c"),
			rules.LikelyIf(rules.LostSince.From(rules.Receiver)).In("bc"),
			rules.SilentIf(rules.JustBegun).In("b"), rules.LikelyIf(rules.BeganLate).In("b"),
			rules.SilentOrLikelyIf(rules.OneDirection, rules.Uncalled, rules.LostAround.From(rules.Receiver)).In("b"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{rules.OnMessage(rules.WithoutInline, message006), rules.OnRPC(rules.WithoutInline, rpc006)},
	}
}

func message006(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	letter := uncarried(m)
	if letter == "" || letter == "b" {
		return
	}
	h := &m.Header
	doubt := ""
	if letter == "c" && h.HasReply {
		if !c.Paired(m.RPC()) {
			return
		}
		doubt = c.DoubtOf(m.From.Peer(), m.RPC().Call.Frame())
	}
	f := report.Message(letter, m, doubt)
	if f == nil {
		return
	}
	sender := c.Sender(m.From)
	switch {
	case letter == "a":
		f.Messagef("the %s sent an %s without any chunk", sender, h.ProcName())
		f.See("chunks", 0, "at least 1").In(m, rpcrdma.AtProc, m.Header.Length-rpcrdma.AtProc)
	case !h.HasReply:
		f.Messagef("the %s replied with %s, but without a Reply chunk", sender, h.ProcName())
		f.See("Reply chunk", false, true).Word(m, h.ReplyAt())
	default:
		f.Messagef("the %s replied in a Reply chunk, but the call offered none", sender)
		f.See("Reply chunk", true, false).With(m.RPC().Call.Frames...).Word(m, h.ReplyAt())
	}
}

// When it is over it shows whether it is a call at all.
func rpc006(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	m := r.Call
	if m == nil || m.Header.Proc != rpcrdma.RDMANoMsg || uncarried(m) != "b" {
		return
	}
	doubt, ok := c.LikelyCalled(r)
	if !ok || c.OneDirection() && m.Header.HasReply { // it may be a reply to a reverse call
		return
	}
	if !first(m) && (!c.ToServer(m.From) || waits(c, m.From.Peer(), r.XID)) {
		return // it may be a reply whose rdma_direction is wrong
	}
	if f := report.Part("b", r, m, doubt); f != nil {
		f.Messagef("the %s sent a call as %s without a Position-Zero Read chunk", c.Sender(m.From), m.Header.ProcName())
		f.See("Position-Zero Read chunk", false, true).In(m, rpcrdma.AtProc, m.Header.ListsAt()+xdr.WordSize-rpcrdma.AtProc)
	}
}

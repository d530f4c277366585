package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr012() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostAround.From(rules.Receiver), rules.Disordered, rules.AnyCut, rules.NothingFollows.From(rules.Receiver)),
			rules.LikelyIf(rules.Lossy, rules.BeganLate),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{rules.OnRPC(rules.WithoutCall, rpc012)},
	}
}

// rpc012 sees the RPC when it is over: a call that was captured after its answer was found
// by then.
func rpc012(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	m := r.Reply
	if r.Call != nil || m.Header.Proc != rpcrdma.RDMAError || !fixed(m) || m.Header.Version == rpcrdma.Version2 {
		return
	}
	if answers(c, m) || c.History().Before(r) != nil || !fromRequester(c, m) {
		return
	}
	doubt, ok := complete(c, m)
	if !ok {
		return
	}
	if f := report.Part("", r, m, doubt); f != nil {
		sender := c.Sender(m.From)
		f.Messagef("the %s sent an RDMA_ERROR for XID 0x%08x, but the %s has made no call with it", sender, r.XID, c.Sender(m.From.Peer()))
		f.See("rdma_xid", rules.Handle(r.XID), nil).Word(m, rpcrdma.AtProc)
	}
}

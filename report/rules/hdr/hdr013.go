package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr013() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostAround.From(rules.Requester), rules.Disordered, rules.AnyCut).In("d"),
			rules.SilentOrLikelyIf(rules.NothingFollows.From(rules.Requester)).In("d"),
			rules.LikelyIf(rules.Lossy, rules.BeganLate).In("d"),
			rules.SilentIf(rules.JustBegun, rules.Disordered, rules.NothingFollows.From(rules.Requester)).In("f"),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Requester)).In("f"),
			rules.LikelyIf(rules.AnyCut).In("f"),
			rules.SilentIf(rules.Unpaired).In("ce"),
			rules.LikelyIf(rules.LostSince.From(rules.Requester)).In("ce"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{rules.OnMessage(rules.OtherProcedure, message013), rules.OnRPC(rules.WithoutCall, rpc013)},
	}
}

func message013(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if m.Header.Proc == rpcrdma.RDMAError && fixed(m) {
		contents(c, report, m)
	}
}

// When the RPC is over, a call that was captured after its answer was found.
func rpc013(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil {
		superfluous(c, report, r)
	}
}

package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.LikelyIf(rules.BeganLate).In("a"),
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostAround.From(rules.Requester), rules.Disordered, rules.NothingFollows.From(rules.Requester)).In("a"),
			rules.LikelyIf(rules.Lossy).In("a"),
			rules.SilentIf(rules.JustBegun, rules.Disordered, rules.NothingFollows.From(rules.Requester)).In("b"),
			rules.SilentIf(rules.LostSince, rules.Disordered).In("c"),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Requester)).In("bc"),
		},
		Speaks: rules.RPCRDMA,
		On: []rules.Event{
			rules.OnMessage(rules.Roleless|rules.OtherVersion, message002), rules.OnRPC(0, rpc002), rules.OnCheckedRPC(rules.WithoutReply, checked002),
		},
	}
}

func rpc002(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	m := r.Reply
	switch {
	case m == nil || m.Header.Fault.Bad() || extended(m):
	case r.Call == nil:
		// That the requester went on without a hole shows that its call is not
		// just missing from the capture.
		unasked(c, report, r, c.WentOn(r.Requester, m.Moment()))
	default:
		late(c, report, r)
	}
}

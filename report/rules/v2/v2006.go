package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Unpaired, rules.Cut),
			rules.LikelyIf(rules.LostSince.From(rules.Receiver)).In("d"),
			rules.LikelyIf(rules.BeganLate).Of("an error without a request"),
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostAround.From(rules.Receiver), rules.Disordered, rules.AnyCut, rules.NothingFollows.From(rules.Receiver)).Of("an error without a request"),
			rules.LikelyIf(rules.Lossy).Of("an error without a request"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownRequests()},
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion|rules.OtherProcedure, message006), rules.OnEnd(end006)},
	}
}

func message006(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	if h.Proc != rpcrdma.RDMAError || h.Length < rpcrdma.FixedSize {
		return
	}
	if spoken(m) && !c.Cut(m) {
		contents(c, report, m)
		if requestsOf(c).asked == nil && (m.RPC() == nil || m.RPC().Call == nil) {
			state.Of(c).orphans.addOrphan(m)
		}
	}
	copied(c, report, m)
}

func end006(c *rules.Conn, report rules.Reporter) {
	if k := state.IfAny(c); k != nil && len(k.orphans.list) > 0 && requestsOf(c).complete() {
		k.orphans.report(c, report, requestsOf(c))
	}
}

package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2009() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.Unpaired, rules.Cut, rules.AnyCut),
			rules.SilentIf(rules.NothingFollows.From(rules.Server)).In("a"),
		},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(0, message009), rules.OnEnd(end009)},
	}
}

func message009(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	t := state.Of(c).negotiation
	if t == nil {
		if !spoken(m) {
			return
		}
		t = &negotiation{c: c, say: report}
		state.Of(c).negotiation = t
	}
	if t.answers(m); !t.over && !t.cut && m.Header.Length >= rpcrdma.FixedSize && c.RolesKnown {
		t.message(m)
	}
}

func end009(c *rules.Conn, report rules.Reporter) {
	if t := state.Of(c).negotiation; t != nil && t.first.Seen() {
		t.reportEnd()
	}
}

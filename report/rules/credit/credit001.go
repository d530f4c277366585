package credit

import "github.com/rdmacap/rdmacap/report/rules"

func credit001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.NearEnd),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Server)).Since("the oldest open call"),
			rules.LikelyIf(rules.Disordered, rules.NothingFollows.From(rules.Responder)),
		},
		Needs: []rules.Knowledge{accounts()},
		On:    []rules.Event{onEvent(inForward*ofCalls|whileOverrun, event001), rules.OnEnd(end001)},
	}
}

func event001(a *account, e *event, report rules.Reporter) {
	l := a.forward()
	if l.granted == 0 {
		return
	}
	if o, doubt := state.Of(a.c).forward.look(a, a.c.ClientEnd, l, e); o != nil {
		o.report(a.c, report, a.c.ClientEnd, doubt)
	}
}

func end001(c *rules.Conn, report rules.Reporter) {
	if k := state.IfAny(c); k != nil {
		if o, doubt := k.forward.finish(accountOf(c), c.ClientEnd); o != nil {
			o.report(c, report, c.ClientEnd, doubt)
		}
	}
}

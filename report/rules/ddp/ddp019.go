package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp019() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection),
			rules.SilentOrLikelyIf(rules.NothingFollows.From(rules.Receiver)),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Receiver)).Since("30 s before the operation"),
			rules.DetailIf(rules.BeganLate, rules.Disordered),
		},
		Needs: []rules.Knowledge{memory.CheckerKnowledge()},
		On:    []rules.Event{memory.OnViolation(memory.Never, never019), memory.OnViolation(memory.OwnMemory, report019)},
	}
}

func never019(c *rules.Conn, o *memory.Violation, report rules.Reporter) {
	if memory.CheckerOf(c).Driven(o) {
		report019(c, o, report)
	}
}

func report019(c *rules.Conn, o *memory.Violation, report rules.Reporter) {
	f := o.Report(report, "")
	if f == nil {
		return
	}
	f.Messagef("the %s, which is the requester, %s %s", c.Sender(o.From), o.Verb(), o.Span())
	f.See("operation", o.Kind.String(), nil).See("handle", rules.Handle(o.Handle), nil)
}

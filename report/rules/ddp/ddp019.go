package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp019() rules.Check {
	return rules.Check{
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Receiver)),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Receiver)).Since("30 s before the operation"),
			rules.DetailIf(rules.BeganLate, rules.Disordered),
		},
		Needs: []rules.Knowledge{memory.JudgeKnowledge()},
		On:    []rules.Event{memory.OnOffence(memory.Never, never019), memory.OnOffence(memory.OwnMemory, tell019)},
	}
}

func never019(c *rules.Conn, o *memory.Offence, say rules.Say) {
	if memory.JudgeOf(c).Driven(o) {
		tell019(c, o, say)
	}
}

func tell019(c *rules.Conn, o *memory.Offence, say rules.Say) {
	f := o.Say(say, "")
	if f == nil {
		return
	}
	f.Sayf("the %s, which is the requester, %s %s", c.Sender(o.From), o.Verb(), o.Span())
	f.See("operation", o.Kind.String(), nil).See("handle", rules.Handle(o.Handle), nil)
}

package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp015() rules.Check {
	return rules.Check{
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Requester)),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Requester)).Since("30 s before the operation"),
			rules.DetailIf(rules.BeganLate, rules.Disordered),
		},
		Needs: []rules.Knowledge{memory.JudgeKnowledge()},
		On:    []rules.Event{memory.OnOffence(memory.Never, offence015)},
	}
}

func offence015(c *rules.Conn, o *memory.Offence, say rules.Say) {
	j := memory.JudgeOf(c)
	if j.Driven(o) {
		return // DDP-019
	}
	f := o.Say(say, "")
	if f == nil {
		return
	}
	f.Sayf("the %s %s %s, which no call of this connection advertised", c.Sender(o.From), o.Verb(), o.Span())
	f.See("handle", rules.Handle(o.Handle), nil)
	if g := j.SwappedOf(o); g != nil {
		f.Sayf("the %s %s %s: this is the advertised handle %s in reverse byte order", c.Sender(o.From), o.Verb(), o.Span(), rules.Handle(g.Handle))
		f.Evidence = f.Evidence[:0]
		f.See("handle", rules.Handle(o.Handle), rules.Handle(g.Handle))
		f.Advise("Convert the handle of each segment from network byte order before it is used, or leave it unconverted in both places.")
	}
}

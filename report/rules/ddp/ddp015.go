package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp015() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection),
			rules.SilentOrLikelyIf(rules.NothingFollows.From(rules.Requester)),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Requester)).Since("30 s before the operation"),
			rules.DetailIf(rules.BeganLate, rules.Disordered),
		},
		Needs: []rules.Knowledge{memory.CheckerKnowledge()},
		On:    []rules.Event{memory.OnViolation(memory.Never, violation015)},
	}
}

func violation015(c *rules.Conn, o *memory.Violation, report rules.Reporter) {
	j := memory.CheckerOf(c)
	if j.Driven(o) {
		return // DDP-019
	}
	f := o.Report(report, "")
	if f == nil {
		return
	}
	f.Messagef("the %s %s %s, which no call of this connection advertised", c.Sender(o.From), o.Verb(), o.Span())
	f.See("handle", rules.Handle(o.Handle), nil)
	if g := j.SwappedOf(o); g != nil {
		f.Messagef("the %s %s %s: this is the advertised handle %s in reverse byte order", c.Sender(o.From), o.Verb(), o.Span(), rules.Handle(g.Handle))
		f.Evidence = f.Evidence[:0]
		f.See("handle", rules.Handle(o.Handle), rules.Handle(g.Handle))
		f.Advise("Convert the handle of each segment from network byte order before it is used, or leave it unconverted in both places.")
	}
}

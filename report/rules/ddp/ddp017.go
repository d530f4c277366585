package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp017() rules.Check {
	return rules.Check{
		Gates: rules.Gates{rules.LikelyIf(rules.BeganLate, rules.LostSince.From(rules.Requester), rules.Unheard.From(rules.Requester))},
		Needs: []rules.Knowledge{memory.JudgeKnowledge()},
		On:    []rules.Event{memory.OnOffence(memory.Direction, offence017)},
	}
}

func offence017(c *rules.Conn, o *memory.Offence, say rules.Say) {
	f := o.Say(say, "")
	if f == nil {
		return
	}
	right := "RDMA Read"
	if o.Kind == dissect.AccessRead {
		right = "RDMA Write"
	}
	f.Sayf("the %s %s %s, which a call advertised in its %s", c.Sender(o.From), o.Verb(), o.Span(), purpose(o.Grant.Purpose))
	f.See("operation", o.Kind.String(), right).See("handle", rules.Handle(o.Handle), nil)
}

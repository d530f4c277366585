package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp017() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.BeganLate, rules.LostSince.From(rules.Requester), rules.NothingFollows.From(rules.Requester))},
		Needs:       []rules.Knowledge{memory.CheckerKnowledge()},
		On:          []rules.Event{memory.OnViolation(memory.Direction, violation017)},
	}
}

func violation017(c *rules.Conn, o *memory.Violation, report rules.Reporter) {
	f := o.Report(report, "")
	if f == nil {
		return
	}
	right := "RDMA Read"
	if o.Kind == dissect.AccessRead {
		right = "RDMA Write"
	}
	f.Messagef("the %s %s %s, which a call advertised in its %s", c.Sender(o.From), o.Verb(), o.Span(), purpose(o.Segment.Purpose))
	f.See("operation", o.Kind.String(), right).See("handle", rules.Handle(o.Handle), nil)
}

package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp014() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.BeganLate, rules.LostSince.From(rules.Requester), rules.NothingFollows.From(rules.Requester))},
		Needs:       []rules.Knowledge{memory.CheckerKnowledge()},
		On:          []rules.Event{memory.OnViolation(memory.Outside, violation014)},
	}
}

func violation014(c *rules.Conn, o *memory.Violation, report rules.Reporter) {
	f := o.Report(report, "")
	if f == nil {
		return
	}
	g := &o.Segment
	f.Messagef("the %s %s %s, but the call advertised %s (%s)", c.Sender(o.From), o.Verb(), o.Span(),
		memory.BytesAt(g.Handle, g.Offset, uint64(g.Length)), purpose(g.Purpose))
	end, most := o.Offset+uint64(o.Length), g.Offset+uint64(g.Length)
	if o.Offset < g.Offset || o.Offset > most {
		f.See("offset", rules.Offset(o.Offset), "at least "+rules.Offset(g.Offset))
	}
	if end > most {
		f.See("end", rules.Offset(end), "at most "+rules.Offset(most))
	}
}

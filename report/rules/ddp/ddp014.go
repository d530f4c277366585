package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp014() rules.Check {
	return rules.Check{
		Gates: rules.Gates{rules.LikelyIf(rules.BeganLate, rules.LostSince.From(rules.Requester), rules.Unheard.From(rules.Requester))},
		Needs: []rules.Knowledge{memory.JudgeKnowledge()},
		On:    []rules.Event{memory.OnOffence(memory.Outside, offence014)},
	}
}

func offence014(c *rules.Conn, o *memory.Offence, say rules.Say) {
	f := o.Say(say, "")
	if f == nil {
		return
	}
	g := &o.Grant
	f.Sayf("the %s %s %s, but the call advertised %s (%s)", c.Sender(o.From), o.Verb(), o.Span(),
		memory.BytesAt(g.Handle, g.Offset, uint64(g.Length)), purpose(g.Purpose))
	end, most := o.Offset+uint64(o.Length), g.Offset+uint64(g.Length)
	if o.Offset < g.Offset || o.Offset > most {
		f.See("offset", rules.Offset(o.Offset), "at least "+rules.Offset(g.Offset))
	}
	if end > most {
		f.See("end", rules.Offset(end), "at most "+rules.Offset(most))
	}
}

package ddp

import (
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp016() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Requester)).Since("the reply"),
			rules.SilentOrLikelyIf(rules.NothingFollows.From(rules.Requester)),
			rules.DetailIf(rules.Disordered),
		},
		Needs: []rules.Knowledge{memory.CheckerKnowledge()},
		On:    []rules.Event{memory.OnViolation(memory.TooLate, violation016)},
	}
}

// padSize is how many bytes a segment has at most that is there for a pad.
const padSize = 4

func violation016(c *rules.Conn, o *memory.Violation, report rules.Reporter) {
	g := &o.Segment
	if g.Length <= padSize {
		return
	}
	f := o.Report(report, "")
	if f == nil {
		return
	}
	gap := rules.Duration(o.Time - g.Until)
	f.Messagef("the %s %s %s, %v after %s in frame %s ended the advertisement of the call in frame %s",
		c.Sender(o.From), o.Verb(), o.Span(), gap, g.Over, c.Capture.FrameName(g.By), c.Capture.FrameName(g.Call))
	f.See("time since the end", finding.Nanoseconds(o.Time-g.Until), nil).See("handle", rules.Handle(o.Handle), nil)
	f.With(g.By)
}

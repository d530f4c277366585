package trans

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans022() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.BeganLate, rules.Disordered)},
		Needs:       []rules.Knowledge{wires()},
		On:          []rules.Event{onOutOfOrdinary(packet022), onRefused(refused022)},
	}
}

// packet022 looks for requests that are retransmitted after the second fatal NAK.
func packet022(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	w := wireOf(c)
	if v.IB == nil || w.refusals == nil || !again(v) || !v.IB.OpCode.IsRequest() || v.IB.OpCode.Transport() == rocev2.TransportUD {
		return
	}
	from := v.Verdict.From & 1
	if f := &w.refusals.fatal[from^1]; f.n > 1 {
		goesOn022(c, report, f, rules.Moment(v), from, fmt.Sprintf("retransmits PSN %d (%s)", v.IB.PSN, v.IB.OpCode))
	}
}

// refused022 looks for requests that are new.
func refused022(c *rules.Conn, r *refusal, report rules.Reporter) {
	if q := r.request; r.goesOn {
		goesOn022(c, report, &wireOf(c).refusals.fatal[r.from], flow.Moment{Ref: q.Frame, Time: q.Time}, r.from^1, fmt.Sprintf("sends %s with PSN %d", q, q.First))
	}
}

// goesOn022 says that an end goes on.
func goesOn022(c *rules.Conn, report rules.Reporter, nak *fatal, at flow.Moment, from flow.End, what string) {
	doubt := ""
	switch {
	case c.BeganLate():
		doubt = finding.DoubtLate // a new connection may have the same queue pairs
	case c.Disordered():
		doubt = finding.DoubtOrder
	}
	f := report.Moment("", at.Ref, at.Time, &from, doubt)
	if f == nil {
		return
	}
	f.Messagef("the %s continues after the fatal NAK in frame %s (%s): it %s", c.Sender(from), c.Capture.FrameName(nak.last.Ref), nak.syndrome, what)
	f.See("fatal NAKs so far", nak.n, 1).See("PSN of the last", nak.psn, nil).With(nak.last.Ref)
}

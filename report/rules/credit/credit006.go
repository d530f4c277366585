package credit

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.NearEnd),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Client)).Since("the oldest open call"),
			rules.LikelyIf(rules.Disordered, rules.NothingFollows.From(rules.Client), rules.AnyCut),
			rules.LikelyIf(rules.BeganLate),
		},
		Needs: []rules.Knowledge{accounts()},
		On:    []rules.Event{onEvent(reverseDirection*(ofCalls|ofAnswers), event006), rules.OnEnd(end006)},
	}
}

func event006(a *account, e *event, report rules.Reporter) {
	c, k, l := a.c, state.Of(a.c), a.reverse()
	if _, setUp := c.Thresholds(); setUp || l.granted > 0 {
		if o, doubt := k.reverse.look(a, a.c.ClientEnd.Peer(), l, e); o != nil {
			o.report(c, report, c.ClientEnd.Peer(), doubt)
		}
	}
	if e.kind == called && len(l.open) > k.most.number {
		k.most.note(e, len(l.open), a.forward())
	}
}

func end006(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil {
		return
	}
	w, most, from := &k.reverse, &k.most, c.ClientEnd.Peer()
	if o, doubt := w.finish(accountOf(c), from); o != nil {
		o.report(c, report, from, doubt)
	}
	if w.count == 0 || !most.equal {
		return
	}
	report.Moment("b", most.Ref, most.Time, &from, "the numbers may be equal by chance").
		ForXID(most.xid).
		Messagef("the server had at most %d reverse-direction calls open at a time, as many as there are credits in the forward direction", most.number).
		See("open callbacks", most.number, finding.AtMost(w.overrun.limit)).See("rdma_credit in forward direction", most.number, nil)
}

// mostReverseCalls is when the most callbacks were open, and whether these are as many
// as the credits of the forward direction.
type mostReverseCalls struct {
	number int
	equal  bool
	xid    uint32
	flow.Moment
}

func (m *mostReverseCalls) note(e *event, number int, forward *ledger) {
	m.number, m.xid, m.Moment = number, e.xid, e.Moment
	m.equal = number > 1 && (uint32(number) == forward.granted || uint32(number) == forward.asked)
}

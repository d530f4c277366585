package credit

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit008() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Disordered), rules.LikelyIf(rules.BeganLate, rules.Lossy)},
		Needs:       []rules.Knowledge{accounts()},
		On:          []rules.Event{onEvent(inBoth*ofRefusals|whileBreached, event008), rules.OnEnd(end008)},
	}
}

// A breach is a Send that was refused though its sender kept to the credits, as far
// as is known when it is seen: the Send, and others before it, may be captured late.
type breach struct {
	at       event
	open     int // calls of the sender
	promised int
	granted  uint32
	grant    flow.Ref
}

func event008(a *account, e *event, report rules.Reporter) {
	c, k := a.c, state.Of(a.c)
	if b := k.breach; b != nil && (e.kind == refused || e.from != b.at.from) {
		k.breached(c, report)
	}
	if e.kind != refused || !c.RolesKnown {
		return
	}
	sender := e.from.Peer()
	l := &a.requesters[sender&1]
	if promised, ok := a.promised(sender, e.Time); ok && len(l.open) <= promised {
		k.breach = &breach{at: *e, open: len(l.open), promised: promised, granted: l.granted, grant: l.grant.frame}
	}
}

// breached reports the breach that is not told yet.
func (k *kept) breached(c *rules.Conn, report rules.Reporter) {
	if !c.Disordered() {
		k.breach.report(c, report)
	}
	k.breach = nil
}

func end008(c *rules.Conn, report rules.Reporter) {
	if k := state.IfAny(c); k != nil && k.breach != nil {
		k.breached(c, report)
	}
}

// report says what was found.
func (b *breach) report(c *rules.Conn, report rules.Reporter) {
	doubt := ""
	if c.BeganLate() {
		doubt = finding.DoubtLate
	} else if c.Lossy() {
		doubt = finding.DoubtLoss
	}
	f := report.Moment("", b.at.frame, b.at.Time, &b.at.from, doubt)
	if f == nil {
		return
	}
	what := "an RNR NAK"
	if b.at.place.Length == 0 {
		what = "a Terminate"
	}
	who, sender := c.Sender(b.at.from), c.Sender(b.at.from.Peer())
	if b.open > 0 {
		f.Messagef("the %s refused a Send with %s while the %s used %d of %d credits", who, what, sender, b.open, b.promised)
		f.See("open calls", b.open, finding.AtMost(b.promised)).See("rdma_credit, granted", b.granted, nil).With(b.grant)
	} else {
		f.Messagef("the %s refused a Send with %s while the %s had no calls open, only replies to send", who, what, sender)
		f.See("open calls", 0, nil)
	}
	f.At(b.at.place)
}

// promised is for how many calls of a sender its peer must have receives at least;
// not ok if that is not certain, or if the sender took receives that it was not
// promised.
func (a *account) promised(sender flow.End, time int64) (n int, ok bool) {
	l, other := &a.requesters[sender&1], &a.requesters[sender.Peer()&1]
	recent := func(t int64) bool { return t != 0 && time-t < settling }
	if recent(a.stray[sender&1]) || recent(l.again) || recent(other.again) {
		return 0, false
	}
	if l.blind || l.granted == 0 && a.c.BeganLate() {
		return 0, false
	}
	if l.granted == 0 {
		// A reply is the only Send that it may have sent, if it has no calls open.
		return 0, len(l.open) == 0 && other.granted > 0
	}
	least := l.window.least(time)
	for i := range l.open {
		least = min(least, max(l.open[i].credits, 1))
	}
	return int(least), true
}

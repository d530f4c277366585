package xchar

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar008() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.JustBegun, rules.LostAround, rules.Disordered, rules.AnyCut), rules.SilentOrLikelyIf(rules.OneDirection),
			rules.LikelyIf(rules.Lossy, rules.BeganLate),
			rules.SilentIf(rules.NothingFollows.From(rules.Sender)).In("bc"),
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event008), rules.OnEnd(end008)},
	}
}

// doubtUpdate is why a change may not have been pending in the end.
const doubtUpdate = "a last update may be missing from the capture without a trace"

// A pending is a change that an end reported is to come.
type pending struct {
	rules.PastMessage
	id rpcrdma.CharacteristicID
	// update is the last UPD_XCHAR that changed it and did not clear, with its
	// optuxc_pendclr.
	update rules.PastMessage
}

// ledger are the changes of one end that are pending. It is blind once some may not be
// known.
type ledger struct {
	list  []pending
	blind bool
}

func (l *ledger) findChange(id rpcrdma.CharacteristicID) int {
	return slices.IndexFunc(l.list, func(p pending) bool { return p.id == id })
}

func event008(c *rules.Conn, e *event, report rules.Reporter) {
	b, ends := operationsOf(c), &state.Of(c).pending
	if e.op == nil {
		return
	}
	l := &ends[e.m.From&1]
	switch {
	case e.op.kind == rpcrdma.RespXchar:
		l.responded(e)
	case e.op.kind == rpcrdma.UpdXchar && e.op.sound && len(e.op.items) > 0:
		l.updated(c, report, b, e)
	case e.op.kind == rpcrdma.UpdXchar:
		l.blind = true
	}
}

func end008(c *rules.Conn, report rules.Reporter) {
	if c.Closing == flow.Open || c.Closing == flow.Replaced {
		return
	}
	for e := range state.Of(c).pending {
		if l := &state.Of(c).pending[e]; !l.blind {
			l.reportEnd(c, report, flow.End(e))
		}
	}
}

// responded enters what a RESP_XCHAR says is pending.
func (l *ledger) responded(e *event) {
	known := e.elements(e.option.Pending, func(_ int, x *item) {
		p := pending{PastMessage: rules.Past(e.m), id: x.id}
		switch i := l.findChange(x.id); {
		case i >= 0:
			l.list[i] = p
		case len(l.list) < mostItems:
			l.list = append(l.list, p)
		default:
			l.blind = true
		}
	})
	l.blind = l.blind || !known
}

// updated clears what an UPD_XCHAR clears.
func (l *ledger) updated(c *rules.Conn, report rules.Reporter, b *operations, e *event) {
	m, o, x := e.m, e.option, &e.op.items[0]
	i := l.findChange(x.id)
	at := o.Start + len(o.Info) - o.Left - 4
	switch {
	case i >= 0 && o.PendingClear:
		l.list = slices.Delete(l.list, i, i+1)
	case i >= 0:
		l.list[i].update = rules.PastPart(m, at, 4)
	case o.PendingClear && !l.blind && !b.forgot(m.From.Peer()) && !b.asked(m.From.Peer(), x.id):
		doubt, ok := b.lacking(m.From, m.Frame())
		if !ok {
			return
		}
		if f := report.Key(x.id).Message("a", m, doubt); f != nil {
			f.Messagef("the %s's UPD_XCHAR clears a change of %v, but none was pending", c.Sender(m.From), x.id)
			f.See("optuxc_pendclr", true, false).In(m, at, 4)
		}
	}
}

// asked reports whether an end has a request open that asks for a characteristic.
func (b *operations) asked(e flow.End, id rpcrdma.CharacteristicID) bool {
	for op := range b.list[e&1].All() {
		if op.kind == rpcrdma.ReqXchar && op.responses+op.errors == 0 &&
			(!op.sound || op.count > len(op.items) || slices.ContainsFunc(op.items, func(x item) bool { return x.id == id })) {
			return true
		}
	}
	return false
}

// reportEnd reports what is still pending.
func (l *ledger) reportEnd(c *rules.Conn, report rules.Reporter, from flow.End) {
	for i := range l.list {
		p := &l.list[i]
		doubt, ok := operationsOf(c).lacking(from, p.Ref)
		switch {
		case !ok:
			continue
		case doubt == "" && !c.IWARP():
			doubt = doubtUpdate // over iWARP its end has a place in the stream
		}
		if !c.WentOn(from, p.Moment) || p.update.Seen() && !c.WentOn(from, p.update.Moment) {
			continue
		}
		if !p.update.Seen() {
			report.Key(p.id).Past("b", &p.PastMessage, doubt).
				Messagef("the %s said that a change of %v is pending, but the connection ended without it", c.Sender(from), p.id).
				See("time since", finding.Nanoseconds(c.LastTime-p.Time), nil)
			continue
		}
		if f := report.Key(p.id).Moment("c", p.update.Ref, p.update.Time, &from, doubt); f != nil {
			f.Bytes = p.update.Bytes
			f.Messagef("the %s changed %v, which was pending, but did not clear the pending change", c.Sender(from), p.id)
			f.See("optuxc_pendclr", false, true).With(p.Ref)
		}
	}
}

package credit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// An overrun is a call that was one too many, as far as is known when it is seen:
// a reply that is missing from the capture would excuse it. It stands when the
// responder's next answer shows none to be missing, or the connection is over.
type overrun struct {
	call   call
	number int // of the open calls, this one included
	limit  int
	asked  uint32
	// granted is the highest grant that might be in force, 0 before the first.
	granted uint32
	grant   source
	since   flow.Ref // the oldest open call
	others  [8]call  // the oldest of them, without this one
	unread  bool     // the requester may not have read the grant, which is lower than the one before
	proven  bool     // nothing that was captured since excuses it
}

// A watch looks for overruns of one requester.
type watch struct {
	pending bool
	overrun *overrun // the newest, nil if there was none
	count   int64    // how many were found
}

// look takes an event of the calls of an end, whose ledger is l. If one was found by
// it, it returns that; doubt says what may be missing, "" if nothing.
func (w *watch) look(a *account, from flow.End, l *ledger, e *event) (found *overrun, doubt string) {
	o := w.overrun
	switch {
	case e.kind == answered && w.pending:
		if !e.Before(o.call.Moment) && !a.excused(e, o.call.Ref) {
			return w.result(a, from, true)
		} else if o.number--; o.number <= o.limit {
			// Of an answer in several frames only the last was after the call, or
			// the capture has it too late.
			w.pending = false
		}
	case e.kind == called && !e.again && (!w.pending || len(l.open) > o.number): // more of them until an answer comes
		limit, asked, ok := l.limit(e.Time)
		unread := ok && len(l.open) <= limit
		if unread {
			limit, asked, ok = l.lowerLimit(a.c, e.Time)
		}
		if !ok || len(l.open) <= limit || w.pending && unread && !o.unread {
			break
		}
		if o == nil {
			o = new(overrun)
			w.overrun = o
		}
		w.pending = true
		*o = overrun{
			call: l.open[len(l.open)-1], number: len(l.open), limit: limit,
			asked: asked, grant: l.grant, since: l.oldest().Ref, unread: unread,
		}
		switch {
		case unread:
			o.granted = l.granted
		case l.granted > 0:
			o.granted = l.window.most(e.Time)
		}
		copy(o.others[:], l.open[:len(l.open)-1])
	}
	return nil, ""
}

// result returns what was found, if nothing is missing that would excuse it; heard says
// that the responder answered since.
func (w *watch) result(a *account, from flow.End, heard bool) (found *overrun, doubt string) {
	if !w.pending {
		return nil, ""
	}
	w.pending = false
	if c := a.c; !c.RolesKnown || c.OneDirection() || c.LostOf(from.Peer(), w.overrun.since) && !c.AccountedCalls(from.Peer(), 0) {
		return nil, ""
	}
	w.count++
	w.overrun.proven = true
	if doubt = a.doubt(); a.requesters[from&1].doubtful {
		doubt = cmp.Or(doubt, finding.DoubtLoss)
	}
	if from != a.c.ClientEnd && a.c.BeganLate() {
		doubt = cmp.Or(doubt, finding.DoubtLate) // callbacks may be open for long
	}
	if w.overrun.granted == 0 && a.c.Limited(rules.AnyCut, a.c.Connection.Cut > 0) {
		doubt = cmp.Or(doubt, finding.DoubtSnap) // the first answer may be among what was cut
	}
	if a.c.Limited(rules.NothingFollows, !heard) {
		doubt = cmp.Or(doubt, doubtLast)
	}
	if w.overrun.unread {
		doubt = cmp.Or(doubt, doubtUnread)
	}
	return w.overrun, doubt
}

// finish settles what is left when the connection is over, or the capture is.
func (w *watch) finish(a *account, from flow.End) (found *overrun, doubt string) {
	c := a.c
	if w.pending && (c.Closing == flow.Open && c.EndGuard(w.overrun.call.Time) || c.Closing == flow.Replaced) {
		w.pending = false
	}
	return w.result(a, from, false)
}

// report says that an end sent a call too many.
func (o *overrun) report(c *rules.Conn, report rules.Reporter, from flow.End, doubt string) {
	if f := report.Highest("", o.call.Moment, from, int64(o.number), doubt); f != nil {
		o.fill(c, from, f)
	}
}

// fill fills a finding in.
func (o *overrun) fill(c *rules.Conn, from flow.End, f *rules.Finding) {
	f.ForXID(o.call.xid)
	f.At(o.call.place)
	who := c.Sender(from)
	switch {
	case o.granted == 0:
		f.Messagef("the %s has %s open, including this one, but may have only one before its first reply", who, field.Counted(o.number, "call"))
	case uint32(o.limit) == o.granted:
		f.Messagef("the %s has %s open, including this one, but was granted %s", who, field.Counted(o.number, "call"), field.Counted(o.granted, "credit"))
	default:
		f.Messagef("the %s has %s open, including this one, but requests %s", who, field.Counted(o.number, "call"), field.Counted(o.asked, "credit"))
	}
	f.See("open calls", o.number, finding.AtMost(o.limit))
	if o.granted > 0 {
		f.See("rdma_credit, granted", o.granted, nil).See("frame of the grant", o.grant.frame.Number, nil)
		f.With(o.grant.frame)
	}
	f.See("rdma_credit, requested", o.asked, nil).See("oldest open calls", o.list(c.Capture), nil)
}

// list are the oldest open calls, with the time that each is open.
func (o *overrun) list(k *rules.Capture) string {
	var b strings.Builder
	for i := range o.others[:min(o.number-1, len(o.others))] {
		x := &o.others[i]
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "0x%08x in frame %s for %s", x.xid, k.FrameName(x.Ref), rules.Duration(o.call.Time-x.Time))
	}
	return b.String()
}

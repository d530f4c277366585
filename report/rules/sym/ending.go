package sym

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// closed reports whether an end closed the connection, or broke it.
func closed(c *rules.Conn) bool {
	switch c.Closing {
	case flow.Disconnected, flow.Terminated, flow.Reset:
		return true
	}
	return false
}

// left are the calls that the end of a connection left unanswered.
type left struct {
	open   int
	xids   []uint32    // of the first of the client's
	oldest int64       // when the first was sent
	newest flow.Moment // of the last, which requester sent
	// requester is the end that waits for it.
	requester flow.End
	refused   bool // the client refused the reply to some of them
}

// leftSlot is where each connection keeps it.
const leftSlot = rules.ConnSlot[left](rules.KeepsSYMLeft)

// leaving counts them.
func leaving() rules.Knowledge {
	gates := []rules.Limitation{rules.OneDirection, rules.LostSince}
	return rules.Knowledge{Keeping: rules.KeepsSYMLeft, Needs: []rules.Knowledge{setup.Knowledge(), requests.Knowledge()}, Limitations: gates, On: []rules.Event{
		rules.OnRPC(rules.WithoutReply, leave),
	}}
}

// leftOf are those of a connection that is over, for rules that need leaving. Calls whose replies the
// client refused have no answer either.
func leftOf(c *rules.Conn) (l left) {
	if k := leftSlot.IfAny(c); k != nil {
		l = *k
	}
	if !closed(c) {
		return l
	}
	for _, x := range requests.Of(c).RefusedReplies() {
		l.refused = true
		if l.open++; len(l.xids) < mostXIDs {
			l.xids = append(slices.Clip(l.xids), x.XID)
		}
	}
	return l
}

// firstRefused reports whether the client refused the first reply of the connection: no other was there before it,
// and none was accepted.
func (l *left) firstRefused(c *rules.Conn) bool {
	n := int64(len(requests.Of(c).RefusedReplies()))
	return n > 0 && c.RPCs-c.Unanswered[0]-c.Unanswered[1] == n && !c.BeganLate() && !c.Lossy()
}

func leave(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if !r.Unreplied() || r.Call == nil || !closed(c) || !c.Whole(r.Call.Frame()) {
		return
	}
	l := leftSlot.Of(c)
	if l.open == 0 || r.Call.Last < l.oldest {
		l.oldest = r.Call.Last
	}
	l.open++
	if r.Requester == c.ClientEnd && len(l.xids) < mostXIDs {
		l.xids = append(l.xids, r.XID)
	}
	if at := r.Call.Moment(); l.open == 1 || l.newest.Before(at) {
		l.newest, l.requester = at, r.Requester
	}
}

// ended is a finding at the end of the connection.
func ended(c *rules.Conn, report rules.Reporter, letter, doubt string) *rules.Finding {
	b := setup.Of(c)
	switch {
	case c.Closing == flow.Terminated:
		return report.Moment(letter, c.Last, c.LastTime, &c.TerminatedBy, doubt)
	case b.Ended:
		from := b.Over.From
		if b.Over.Answers {
			from = from.Peer()
		}
		f := report.Moment(letter, b.Over.Frame, b.Over.Time, &from, doubt)
		if f != nil && b.Over.Unknown {
			end := c.Sender(b.Over.From)
			f.Advise("Look for losses between the %s and the capture point before that, and check whether the %s was restarted.", end, end)
		}
		return f
	}
	return report.Moment(letter, c.Last, c.LastTime, nil, doubt)
}

// how says by what the connection ended.
func how(c *rules.Conn) string {
	b := setup.Of(c)
	switch {
	case c.Closing == flow.Terminated:
		return fmt.Sprintf("the %s ended the connection with a Terminate (%v)", c.Sender(c.TerminatedBy), c.Termination)
	case b.Ended && b.Over.Unknown:
		return fmt.Sprintf("the %s reset the connection, which it no longer had,", c.Sender(b.Over.From))
	case b.Ended && b.Over.Answers:
		return fmt.Sprintf("the %s ended the connection, as the %s of the %s shows,", c.Sender(b.Over.From.Peer()), b.Over.Name, c.Sender(b.Over.From))
	case b.Ended:
		return fmt.Sprintf("the %s ended the connection (%s)", c.Sender(b.Over.From), b.Over.Name)
	}
	return "the connection ended"
}

// before says what went before an end that only shows that the connection was over.
func before(c *rules.Conn) string {
	if b := setup.Of(c); b.Ended && b.Over.Unknown {
		return ": it had ended the connection before, unseen by the capture, or was restarted"
	}
	return ""
}

// show adds the calls that are open, and the ladder of setup and end.
func (l *left) show(c *rules.Conn, f *rules.Finding) {
	f.See("calls unanswered", l.open, nil)
	if len(l.xids) > 0 {
		f.See("their XIDs", rules.Handles(l.xids), nil)
	}
	ladder(c, f)
	for _, x := range l.xids {
		f.Also(x)
	}
}

// ladder adds the steps of setup and end.
func ladder(c *rules.Conn, f *rules.Finding) {
	b := setup.Of(c)
	if len(b.Steps) > 0 {
		f.See("setup and teardown", b.Ladder(c), nil)
	}
	for _, s := range b.Steps {
		f.With(s.Frame)
	}
}

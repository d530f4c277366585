package credit

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.NearEnd, rules.NothingFollows.From(rules.Server)),
			rules.LikelyIf(rules.Disordered),
		},
		Needs: []rules.Knowledge{accounts()},
		On:    []rules.Event{onEvent(whileCounting, event002), rules.OnEnd(end002), rules.OnOver(over002)},
	}
}

// firstCalls are those that a client sent before the first reply.
type firstCalls struct {
	count    int64 // without those that were sent again
	one, two event // the first two of them
	answer   event // the first answer
	proven   bool  // an answer followed, or the end, and nothing is missing
}

// complete works out whether all that is known of the first calls was captured.
func (s *firstCalls) complete(c *rules.Conn) {
	_, setUp := c.Thresholds() // all of it was captured, and so where the sequence numbers begin
	s.proven = s.count > 1 && setUp && c.Established && c.WholeSoFar()
}

func event002(a *account, e *event, _ rules.Reporter) {
	k := state.Of(a.c)
	s := k.first
	if s == nil {
		s = new(firstCalls)
		k.first = s
	}
	switch {
	case e.kind == called && !e.again:
		if s.count == 1 && s.one.version > e.version {
			s.one = *e // the other version was tried in vain
			break
		}
		if s.count == 1 && e.answered && (!s.one.answered || e.had != s.one.had) {
			k.counted = true // by what the server sent, its first reply came before
			break
		}
		if s.count++; s.count == 1 {
			s.one = *e
		} else if s.count == 2 {
			s.two = *e
		}
	case e.kind == stray && s.count == 1:
		k.counted = true // whatever it is, it may grant credits
	case e.kind == stray:
	case e.kind == answered && e.failed && e.version == rpcrdma.Version2 && s.count < 2:
		s.count = 0 // of version 2 only what is no error tells the credits
	case e.kind == answered && (s.count < 2 || !e.Before(s.two.Moment)):
		s.answer = *e
		k.counted = true
		s.complete(a.c)
	case e.kind == answered:
		k.counted = true // it began before the second call, or may have
	}
	if k.counted && !s.proven {
		k.first = nil
	}
}

// end002 keeps the first calls only if there is something to say of them.
func end002(c *rules.Conn, _ rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.first == nil {
		return
	}
	s := k.first
	if !k.counted && !(c.Closing == flow.Open && c.EndGuard(s.two.Time)) && c.Closing != flow.Replaced {
		s.complete(c)
		// Else the first reply may be missing after what the server sent last.
		s.proven = c.WentOn(c.ClientEnd.Peer(), s.two.Moment) && s.proven
	}
	if !s.proven || !c.RolesKnown || s.answer.kind == answered && accountOf(c).excused(&s.answer, s.two.Ref) {
		k.first = nil
	}
}

func over002(e *rules.ConnRef, c *rules.Conn, report rules.Reporter) {
	before := endedSlot.Of(e.CrossConnection).before(c)
	k := state.IfAny(c)
	if k == nil || k.first == nil {
		return
	}
	s := k.first
	if before && k.forward.count == 0 {
		report = report.As(finding.Warning)
	}
	from := c.ClientEnd
	report.Moment("", s.two.Ref, s.two.Time, &from, accountOf(c).doubt()).
		ForXID(s.two.xid).
		Messagef("the client sent %d calls before the first reply", s.count).
		See("calls before the first reply", s.count, 1).See("xid of the first", rules.Handle(s.one.xid), nil).
		With(s.one.Ref).At(s.two.place)
}

package credit

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Server)).Since("the oldest open call"),
			rules.LikelyIf(rules.Disordered, rules.NothingFollows.From(rules.Server)),
			rules.LikelyIf(rules.Lossy),
			rules.DetailIf(rules.BeganLate),
		},
		Needs: []rules.Knowledge{accounts()},
		On: []rules.Event{
			onEvent(inBoth*(ofCalls|ofAnswers|ofStrays), event010), rules.OnFrame(rules.Waking, frame010), rules.OnTick(tick010), rules.OnEnd(end010),
		},
	}
}

// A stall is what is known of a server that may be silent.
type stall struct {
	// open says that a call of the client is open, oldest is the first of them and
	// full that the client is out of credits: all as of the last event.
	open, full bool
	oldest     call
	calls      int
	// active is when the server last sent what belongs to an RPC, heard its last frame of
	// any kind at newestAt, when it was found; client is when the client last called.
	active, client int64
	newest         flow.Ref
	newestAt       int64
	now            int64 // when it was found
}

// look finds whether the server is silent for too long, now that a moment has come.
func (k *kept) look(c *rules.Conn, now int64) {
	s := &k.stall
	if !s.open {
		return
	}
	server := c.LastSeen(c.ClientEnd.Peer())
	s.active = server.Carried
	limit := int64(c.Capture.Config.Stalled)
	if s.active+1 == k.reported || now-max(s.active, s.oldest.Time) <= limit || now-s.client <= limit && !s.full ||
		k.serverSilent(c, server) || !c.RolesKnown || c.OneDirection() || c.LostOf(c.ClientEnd.Peer(), s.oldest.Ref) || c.BeganLate() && s.oldest.Time <= accountOf(c).began {
		return
	}
	k.reported = s.active + 1
	found := *s
	found.newest, found.newestAt, found.now = server.Frame, server.Time, now
	k.found = &found
}

// serverSilent reports whether the client had to send again what it had sent, and nothing of the server came since: then
// nothing shows that the server has the call.
func (k *kept) serverSilent(c *rules.Conn, server *rules.LastSeen) bool {
	again := c.LastSeen(c.ClientEnd).Again
	return again > k.stall.oldest.Time && again > server.Time
}

// stalled reports the stall that was found, unless a reply may be missing; doubt is why
// it may be.
func (k *kept) stalled(c *rules.Conn, report rules.Reporter, doubt string) {
	found, server := k.found, c.ClientEnd.Peer()
	if k.found = nil; c.OneDirection() || c.LostOf(server, found.oldest.Ref) {
		return
	}
	if c.Lossy() {
		doubt = cmp.Or(doubt, finding.DoubtLoss)
	}
	if f := report.Moment("", found.oldest.Ref, found.oldest.Time, &server, cmp.Or(doubt, accountOf(c).doubt())); f != nil {
		found.fill(c, f)
	}
}

func event010(a *account, e *event, report rules.Reporter) {
	c, k, l := a.c, state.Of(a.c), a.forward()
	mine := a.ledgerOf(e) == l
	if mine {
		k.look(c, e.Time)
	}
	if k.found != nil && !c.ToServer(e.from) {
		k.stalled(c, report, "") // no reply is missing before this
	}
	if !mine {
		return
	}
	s := &k.stall
	if e.kind == called {
		s.client = max(s.client, e.Time)
	}
	s.open, s.full, s.calls = len(l.open) > 0, l.full(), len(l.open)
	if s.open {
		s.oldest = *l.oldest()
		c.Remind()
	}
}

func frame010(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if k := state.IfAny(c); k != nil && k.stall.open && !c.ToServer(v.Verdict.From) {
		k.look(c, v.Frame.Time)
	}
}

func tick010(c *rules.Conn, now int64, _ rules.Reporter) {
	// After the end of a connection nobody waits for its server.
	if k := state.IfAny(c); k != nil && k.stall.open && c.Closing == flow.Open {
		k.look(c, now)
		c.Remind()
	}
}

func end010(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil {
		return
	}
	now := c.LastTime
	if c.Closing == flow.Open && c.Capture.Over {
		now = c.Capture.Now
	}
	k.look(c, now)
	if f := k.found; f != nil && !c.Lossy() && f.newestAt > f.oldest.Time {
		k.stalled(c, report, doubtLast)
	}
}

// fill fills a finding in.
func (s *stall) fill(c *rules.Conn, f *rules.Finding) {
	f.ForXID(s.oldest.xid)
	now := s.now
	silent := now - max(s.active, s.oldest.Time)
	f.Messagef("the server sent no answer for %s while calls were open, and the client did not probe it", rules.Duration(silent))
	f.See("open calls", s.calls, nil)
	f.See("time without a sign of the server's RPC", finding.Nanoseconds(silent), finding.AtMost(finding.Nanoseconds(c.Capture.Config.Stalled)))
	f.See("age of the oldest call", finding.Nanoseconds(now-s.oldest.Time), nil)
	f.See("client is out of credits", s.full, nil)
	if s.newestAt > s.oldest.Time {
		f.See("last acknowledgement of the server's adapter", s.newest.Number, nil).With(s.newest)
	}
	f.At(s.oldest.place)
}

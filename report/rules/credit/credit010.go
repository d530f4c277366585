package credit

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit010() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-010", Title: "Stalled server without probing",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "Calls were open, the server neither answered nor moved data for them for a long time, and the client sent nothing " +
			"that would have shown whether the server is still there.",
		Why: "A reliable connection of InfiniBand has no keep-alive: with nothing to send it stays up although the server hangs or is gone, " +
			"and the client waits for ever.",
		Advice: "See whether frames of the server's adapter still came: then the adapter lives, and the server's software is stuck in " +
			"storage, memory or a lock. Let the client keep a credit for calls that probe a silent server.",
		Reference: "RFC 8267, section 6.7.2; draft-dnoveck-nfsv4-nfsulb-01, section 5.6",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection, rules.LostSince).Since("the oldest open call"),
			rules.LikelyIf(rules.Disordered, rules.Unheard.From(rules.Server)),
			rules.DetailIf(rules.BeganLate, rules.Lossy),
		},
		Limits: "How long is long is a setting (stalled). Where the server does not send again it is said only if frames of its " +
			"adapter followed the call and nothing of the connection is missing. Some calls may take that long by right, where " +
			"storage is slow or another client has to give something back first.",
		Wide:   true,
		Causes: []string{"CREDIT-003", "CREDIT-009"},
		Needs:  []rules.Knowledge{accounts()},
		On: []rules.Event{
			onEvent(inBoth*(ofCalls|ofAnswers|ofStrays), event010), rules.OnFrame(rules.Waking, frame010), rules.OnTick(tick010), rules.OnEnd(end010),
		},
		Fires: []rules.Sample{
			{Name: "a reply after 20 seconds", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    want CREDIT-010 8+4
				wait 20s
				reply 2
				disconnect`},
			{Name: "the client gives up after 20 seconds", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    want CREDIT-010 8+4
				wait 20s
				disconnect`},
			{Name: "another connection goes on", Scene: `
				connect A
				call 1 NFS3 NULL
				reply 1
				connect B clientaddr=192.0.2.77
				on A
				call 2 NFS3 GETATTR
				    want CREDIT-010 8+4
				wait 20s
				on B
				call 3 NFS3 NULL
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a reply after 10 seconds", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				wait 10s
				reply 2
				disconnect`},
			{Name: "the client probes", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				wait 10s
				call 3 NFS3 NULL
				reply 3
				wait 10s
				reply 2
				disconnect`},
			{Name: "the server still writes data", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" offset=0 count=8000
				    write 0x100 8000
				wait 10s
				rdma write server 0x100 4000
				wait 10s
				rdma write server 0x100 8000
				reply 2 data=bytes(8000) eof=true
				disconnect`},
			{Name: "nothing is open", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				wait 20s
				call 2 NFS3 NULL
				reply 2
				disconnect`},
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
	// any kind at heardAt, when it was found; client is when the client last called.
	active, client int64
	heard          flow.Ref
	heardAt        int64
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
	if s.active+1 == k.told || now-max(s.active, s.oldest.Time) <= limit || now-s.client <= limit && !s.full ||
		!c.RolesKnown || !c.Whole(s.oldest.Ref) || c.BeganLate() && s.oldest.Time <= accountOf(c).began {
		return
	}
	k.told = s.active + 1
	found := *s
	found.heard, found.heardAt, found.now = server.Frame, server.Time, now
	k.found = &found
}

// stalled tells of the stall that was found, unless a reply may be missing; doubt is why
// it may be.
func (k *kept) stalled(c *rules.Conn, say rules.Say, doubt string) {
	found, server := k.found, c.ClientEnd.Peer()
	if k.found = nil; !c.Whole(found.oldest.Ref) {
		return
	}
	if f := say.Moment("", found.oldest.Ref, found.oldest.Time, &server, cmp.Or(doubt, accountOf(c).doubt())); f != nil {
		found.fill(c, f)
	}
}

func event010(a *account, e *event, say rules.Say) {
	c, k, l := a.c, of(a.c), a.forward()
	mine := a.of(e) == l
	if mine {
		k.look(c, e.Time)
	}
	if k.found != nil && !c.ToServer(e.from) {
		k.stalled(c, say, "") // no reply is missing before this
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

func frame010(c *rules.Conn, v *dissect.FrameView, _ rules.Say) {
	if k := ifAny(c); k != nil && k.stall.open && !c.ToServer(v.Verdict.From) {
		k.look(c, v.Frame.Time)
	}
}

func tick010(c *rules.Conn, now int64, _ rules.Say) {
	if k := ifAny(c); k != nil && k.stall.open {
		k.look(c, now)
		c.Remind()
	}
}

func end010(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil {
		return
	}
	now := c.LastTime
	if c.Closing == flow.Open && c.Capture.Over {
		now = c.Capture.Now
	}
	k.look(c, now)
	if f := k.found; f != nil && !c.Lossy() && f.heardAt > f.oldest.Time {
		k.stalled(c, say, doubtLast)
	}
}

// fill fills a finding in.
func (s *stall) fill(c *rules.Conn, f *rules.Finding) {
	f.XID, f.HasXID = s.oldest.xid, true
	now := s.now
	silent := now - max(s.active, s.oldest.Time)
	f.Sayf("the server sent nothing for %s while calls were open, and the client did not probe it", rules.Duration(silent))
	f.See("open calls", s.calls, nil)
	f.See("seconds without a sign of the server's RPC", float64(silent/1e7)/100, c.Capture.Config.Stalled.Seconds())
	f.See("age of the oldest call, in seconds", float64((now-s.oldest.Time)/1e7)/100, nil)
	f.See("client is out of credits", s.full, nil)
	if s.heardAt > s.oldest.Time {
		f.See("last acknowledgement of the server's adapter", s.heard.Number, nil).With(s.heard)
	}
	f.At(s.oldest.place)
}

package credit

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit002() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-002", Title: "More than one call before the first reply",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "On a new connection the client sent a second call before the server had answered the first. " +
			"Until the first reply says how many credits there are, one call is all that may be open; an error of version 2 is no such reply.",
		Why: "The server need not have more than one receive posted for a client that it knows nothing of. The second call may " +
			"draw an RNR NAK or a Terminate, and end the connection that has just been set up.",
		Advice: "Let the client begin each connection with a single credit, also when it sends the calls of a lost connection " +
			"again: old Linux clients sent all of them at once.",
		Reference: "RFC 8166, section 3.3.3; draft-cel-nfsv4-rpcrdma-version-two-02, section 6",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.NearEnd, rules.Unheard.From(rules.Server)),
			rules.LikelyIf(rules.Disordered),
		},
		Limits: "A call of a higher version that was tried before does not count, nor does an INIT_XCHAR. Whatever the server sends between two calls may be the reply, also if it was cut. A warning if the client had " +
			"connected to this server before and keeps to its credits once it knows them. Frames out of order as for CREDIT-001.",
		Wide:  true,
		Needs: []rules.Knowledge{accounts()},
		On:    []rules.Event{onEvent(whileCounting, event002), rules.OnEnd(end002), rules.OnOver(over002)},
		Fires: []rules.Sample{
			{Name: "two calls at once on a new connection", Scene: `
				connect
				call 1 NFS3 NULL
				call 2 NFS3 GETATTR
				    want CREDIT-002 8+4
				reply 1
				reply 2
				disconnect`},
			{Name: "an error of version 2, and then two calls at once", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 BAD_XDR
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				    want CREDIT-002 8+4
				reply 2
				reply 3
				disconnect`},
			{Name: "two calls of version 1 at once behind an ERR_VERS", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				version 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				    want CREDIT-002 8+4
				reply 2
				reply 3
				disconnect`},
			{Name: "a client sends the calls of a lost connection again", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				disconnect
				wait 1s
				connect
				call 2 again
				call 3 again
				    want CREDIT-002 8+4
				reply 2
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "characteristics and one call of version 2", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [RBSIZ=8192]
				call 1 NFS3 NULL
				error 1 CANT_REPLY FALSE 0 0
				call 2 NFS3 GETATTR
				reply 2
				call 3 NFS3 GETATTR
				call 4 NFS3 GETATTR
				reply 3
				reply 4
				disconnect`},
			{Name: "one call, and many after its reply", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				reply 2
				reply 3
				disconnect`},
			{Name: "the capture began late", Scene: `
				call 1 NFS3 NULL
				call 2 NFS3 GETATTR
				reply 1
				reply 2
				disconnect`},
			{Name: "the first reply is missing from the capture", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				    drop
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "an RDMA_ERROR answers the first call", Scene: `
				connect
				call 1 NFS3 NULL
				error 1 ERR_CHUNK
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
		},
	}
}

// firstCalls are those that a client sent before the first reply.
type firstCalls struct {
	count    int64 // without those that were sent again
	one, two event // the first two of them
	answer   event // the first answer
	proven   bool  // an answer followed, or the end, and nothing is missing
}

// settle works out whether all that is known of the first calls was captured.
func (s *firstCalls) settle(c *rules.Conn) {
	_, setUp := c.Thresholds() // all of it was captured, and so where the sequence numbers begin
	s.proven = s.count > 1 && setUp && c.Established && c.WholeSoFar()
}

func event002(a *account, e *event, _ rules.Say) {
	k := of(a.c)
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
		s.settle(a.c)
	case e.kind == answered:
		k.counted = true // it began before the second call, or may have
	}
	if k.counted && !s.proven {
		k.first = nil
	}
}

// end002 keeps the first calls only if there is something to say of them.
func end002(c *rules.Conn, _ rules.Say) {
	k := ifAny(c)
	if k == nil || k.first == nil {
		return
	}
	s := k.first
	if !k.counted && !(c.Closing == flow.Open && c.EndGuard(s.two.Time)) && c.Closing != flow.Replaced {
		s.settle(c)
		// Else the first reply may be missing behind what the server sent last.
		s.proven = c.WentOn(c.ClientEnd.Peer(), s.two.Moment) && s.proven
	}
	if !s.proven || !c.RolesKnown || s.answer.kind == answered && accountOf(c).excused(&s.answer, s.two.Ref) {
		k.first = nil
	}
}

func over002(e *rules.Entry, c *rules.Conn, say rules.Say) {
	before := rules.KeptAcross[ended](e.Across, rules.KeepsCREDIT).before(c)
	k := ifAny(c)
	if k == nil || k.first == nil {
		return
	}
	s := k.first
	if before && k.forward.count == 0 {
		say = say.As(rules.Warning)
	}
	from := c.ClientEnd
	if f := say.Moment("", s.two.Ref, s.two.Time, &from, accountOf(c).doubt()); f != nil {
		f.XID, f.HasXID = s.two.xid, true
		f.Sayf("the client sent %d calls before the first reply", s.count)
		f.See("calls before the first reply", s.count, 1).See("xid of the first", rules.Handle(s.one.xid), nil)
		f.With(s.one.Ref).At(s.two.place)
	}
}

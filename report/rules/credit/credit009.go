package credit

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit009() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-009", Title: "Credit window pinned",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "The client had as many calls open as it may have, for long at a stretch or for a considerable part of the time that " +
			"any were open. Case b: a client of NFS version 4 let all credits be taken, and kept none back.",
		Why: "While the window is full further calls wait in the client, so credits and not network or storage limit what gets through. " +
			"A client without a spare credit also cannot ask a silent server whether it is still there.",
		Advice:    "Let the server grant more credits, or the client ask for more; where the server is slow, look at that first.",
		Reference: "RFC 8166, section 3.3.1; draft-dnoveck-nfsv4-nfsulb-01, section 5.6",
		Gates:     rules.Gates{rules.SilentIf(rules.OneDirection), rules.DetailIf(rules.Lossy)},
		Limits: "Judged when the connection is over. How long is long, and which part considerable, are settings (pinned, pinned share); " +
			"the part counts only if the window was full for that long in all. Silent about a grant of one in case b. Linux clients " +
			"reserve no credit.",
		Cases: []rules.Case{
			{Letter: "b", Title: "a client of NFS version 4 keeps no credit in reserve", Severity: rules.Note,
				Advice: "Nothing needs to be done unless servers hang: a client may keep one credit for calls that probe them."},
		},
		Wide:   true,
		Causes: []string{"CREDIT-004", "CREDIT-005"},
		Needs:  []rules.Knowledge{accounts()},
		On:     []rules.Event{onEvent(inForward*(ofCalls|ofAnswers), event009), rules.OnEnd(end009)},
		Fires: []rules.Sample{
			{Name: "both credits are in use for 200 ms", Scene: `
				connect servercredits=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				    want CREDIT-009 8+4
				wait 200ms
				reply 2
				reply 3
				disconnect`},
			{Name: "two credits are in use time and again", Scene: `
				connect servercredits=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				    want CREDIT-009 8+4
				wait 70ms
				reply 2
				reply 3
				call 4 NFS3 GETATTR
				call 5 NFS3 GETATTR
				wait 60ms
				reply 4
				reply 5
				disconnect`},
			{Name: "a client of NFS version 4 takes the last credit", Scene: `
				connect servercredits=2
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND [SEQUENCE PUTROOTFH GETATTR]
				call 3 NFS4 COMPOUND [SEQUENCE PUTROOTFH GETATTR]
				    want CREDIT-009b 8+4
				reply 2
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "one of three credits stays free", Scene: `
				connect servercredits=3
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND [SEQUENCE PUTROOTFH GETATTR]
				call 3 NFS4 COMPOUND [SEQUENCE PUTROOTFH GETATTR]
				wait 200ms
				reply 2
				reply 3
				disconnect`},
			{Name: "both credits are in use for 50 ms", Scene: `
				connect servercredits=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				wait 50ms
				reply 2
				reply 3
				disconnect`},
		},
	}
}

// A stretch is a time during which all credits were taken.
type stretch struct {
	last   mark  // the call that took the last credit
	length int64 // nanoseconds
	limit  int
}

// A mark is a call that was captured.
type mark struct {
	xid uint32
	flow.Moment
	place flow.Place // of rdma_credit
}

func (e *event) mark() mark { return mark{e.xid, flow.Moment{Ref: e.frame, Time: e.Time}, e.place} }

// A pinned window is how long all credits were taken.
type pinned struct {
	since    int64 // that calls are open, or all credits taken, at the last event
	open     bool
	full     bool
	active   int64 // nanoseconds with open calls
	total    int64 // of them with no credit left
	*fullest       // nil until all credits were taken
}

// A fullest window is when all credits were taken.
type fullest struct {
	present stretch
	longest stretch
	took    mark // the call of NFS version 4 that took the last credit first
	taken   int  // and how many that was, 0 if none did
}

// until notes that time went by.
func (p *pinned) until(now int64) {
	past := max(0, now-p.since)
	p.since = max(p.since, now)
	if p.open {
		p.active += past
	}
	if p.full {
		p.total += past
		p.present.length += past
		if p.present.length > p.longest.length {
			p.longest = p.present
		}
	}
}

// look takes an event.
func (p *pinned) look(l *ledger, e *event) {
	p.until(e.Time)
	full := l.full()
	if full && !p.full {
		rules.Some(&p.fullest).present = stretch{last: e.mark(), limit: len(l.open)}
	}
	p.open, p.full = len(l.open) > 0, full
	if full && e.kind == called && e.nfs4 && p.taken == 0 && len(l.open) > 1 {
		p.took, p.taken = e.mark(), len(l.open)
	}
}

func event009(a *account, e *event, _ rules.Say) { of(a.c).pinned.look(a.forward(), e) }

func end009(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil {
		return
	}
	p := &k.pinned
	now := c.LastTime
	if c.Closing == flow.Open && !c.Lossy() {
		now = max(now, c.Capture.Now)
	}
	p.until(now)
	if p.fullest == nil || !c.RolesKnown || c.OneDirection() || c.Unread {
		return
	}
	from := c.ClientEnd
	limit, share := int64(c.Capture.Config.Pinned), c.Capture.Config.PinnedShare
	if p.longest.length > limit || p.total > limit && float64(p.total) > share*float64(p.active) {
		s := &p.longest
		if f := say.Moment("", s.last.Ref, s.last.Time, &from, ""); f != nil {
			part := 100 * float64(p.total) / float64(p.active)
			f.Sayf("all of %d credits were in use for %s at a stretch, and for %.0f %% of the time that calls were open",
				s.limit, rules.Duration(s.length), part)
			f.See("longest time with no credit left", rules.Duration(s.length), nil)
			f.See("share of the time with open calls", fmt.Sprintf("%.1f %%", part), nil)
			f.See("open calls", s.limit, nil).At(s.last.place)
		}
	}
	if p.taken > 0 {
		if f := say.Moment("b", p.took.Ref, p.took.Time, &from, ""); f != nil {
			f.XID, f.HasXID = p.took.xid, true
			f.Sayf("the client has %d calls open, and no credit left for one that would show whether the server is alive", p.taken)
			f.See("open calls", p.taken, p.taken-1).At(p.took.place)
		}
	}
}

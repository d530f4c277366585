package credit

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit009() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection), rules.DetailIf(rules.Lossy)},
		Needs:       []rules.Knowledge{accounts()},
		On:          []rules.Event{onEvent(inForward*(ofCalls|ofAnswers), event009), rules.OnEnd(end009)},
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

func event009(a *account, e *event, _ rules.Reporter) { state.Of(a.c).pinned.look(a.forward(), e) }

func end009(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
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
		part := 100 * float64(p.total) / float64(p.active)
		report.Moment("", s.last.Ref, s.last.Time, &from, "").
			Messagef("all %d credits were in use for up to %s at a stretch, and for %.0f %% of the time that calls were open",
				s.limit, rules.Duration(s.length), part).
			See("longest time with no credit left", finding.Nanoseconds(s.length), nil).
			See("share of the time with open calls", fmt.Sprintf("%.1f %%", part), nil).
			See("open calls", s.limit, nil).At(s.last.place)
	}
	if p.taken > 0 {
		report.Moment("b", p.took.Ref, p.took.Time, &from, "").
			ForXID(p.took.xid).
			Messagef("the client has %s open and no credit left to probe whether the server is alive", field.Counted(p.taken, "call")).
			See("open calls", p.taken, finding.AtMost(p.taken-1)).At(p.took.place)
	}
}

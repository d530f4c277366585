package sym

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

const (
	mostSeries = 4  // of a pair of hosts
	mostHeld   = 16 // connections of a pair that one of them may still hold
	// apart is how long after one rejection another one is of the same trouble, in nanoseconds.
	apart = 60e9
	// mostNamed is how many attempts of a series the finding names.
	mostNamed = 16
)

// A series is of connections of a pair that were rejected as stale, one after the other.
type series struct {
	by          string // the end that rejects: "server"
	service     string
	count       int64
	first, last flow.Moment // the rejections
	asked       flow.Moment // the first REQ
	ladder      string      // of the first
	steps       []flow.Ref  // the same, and the rejections after it
	qpn, commID uint32      // that the first REQ names
	held        *held       // what the rejecting end holds, nil if not known
	over        bool        // a connection came about since
}

// A held connection came about, and an end may still have it.
type held struct {
	id          int
	qpn, commID uint32 // of its client
	began       flow.Moment
	last        flow.Moment
	// left says that the client's REQ for another connection took its names, and that no end had ended it.
	left bool
}

// series004 counts a connection that was rejected, and ends the series where one came about.
func series004(p *past, e *rules.ConnRef, c *rules.Conn) {
	b := setup.Of(c)
	told := &b.Declared[c.ClientEnd&1]
	if c.Established {
		for i := range p.rejected {
			p.rejected[i].over = true
		}
		if told.Captured && !c.IWARP() {
			*p.held.Add(mostHeld) = held{
				id: e.ID(), qpn: told.QPN, commID: told.CommID, left: c.Closing == flow.Replaced,
				began: flow.Moment{Ref: c.First, Time: c.FirstTime}, last: flow.Moment{Ref: c.Last, Time: c.LastTime},
			}
		}
	}
	if !staleReject(c) || !b.Ended {
		return
	}
	at := flow.Moment{Ref: b.Over.Frame, Time: b.Over.Time}
	by := c.Sender(b.Over.From)
	for i := range p.rejected {
		x := &p.rejected[i]
		if !x.over && x.by == by && at.Time-x.last.Time <= apart {
			x.count, x.last = x.count+1, at
			if x.count <= mostNamed {
				x.steps = append(x.steps, at.Ref)
			}
			return
		}
	}
	if len(p.rejected) == mostSeries {
		return
	}
	x := series{
		by: by, service: c.Service, count: 1, first: at, last: at,
		asked: flow.Moment{Ref: c.First, Time: c.FirstTime}, ladder: b.Ladder(c), qpn: told.QPN, commID: told.CommID,
	}
	for i := range b.Steps {
		x.steps = append(x.steps, b.Steps[i].Frame)
	}
	for h := range p.held.All() {
		if h.qpn == x.qpn || h.commID == x.commID {
			newest := *h
			x.held = &newest
		}
	}
	p.rejected = append(p.rejected, x)
}

// staleReject reports whether a connection was rejected because of one that there was before.
func staleReject(c *rules.Conn) bool {
	return c.Closing == flow.Rejected && !c.IWARP() && c.RejectReason == rocev2.RejStaleConnection
}

// report004 reports all of them.
func report004(e *rules.ConnRef, report rules.Reporter) {
	type told struct {
		pasts.Peers
		*series
	}
	h := historySlot.Of(e.CrossConnection)
	var list []told
	for k, p := range h.pasts {
		for i := range p.rejected {
			list = append(list, told{k, &p.rejected[i]})
		}
	}
	slices.SortFunc(list, func(a, b told) int { return a.first.Ref.Compare(b.first.Ref) })
	for _, x := range list {
		f := report.Key(x.first.Ref).Moment("c", x.first.Ref, x.first.Time, nil, "")
		if f == nil {
			continue
		}
		x.describe(e, x.Peers, f)
		x.whose(e, f)
		h.ends.askedEndOf(x.Peers, x.qpn).describe(x.series, f)
		f.Last, f.LastTime = x.last.Ref, x.last.Time
	}
}

// describe says who rejected what, how often and why.
func (x *series) describe(e *rules.ConnRef, p pasts.Peers, f *rules.Finding) {
	what := "the connection"
	if x.count > 1 {
		what = field.Counted(x.count, "connection") + " in " + rules.Duration(x.last.Time-x.first.Time)
	}
	to := fmt.Sprintf("port %d", p.Port)
	if x.service != "" {
		to += " (" + x.service + ")"
	}
	f.Messagef("the %s rejected %s to %s: %v", x.by, what, to, rocev2.RejStaleConnection)
	f.See("reason", rocev2.RejStaleConnection.String(), nil)
	f.See("attempts", x.count, nil)
	if x.count > 1 {
		f.See("time from the first to the last", finding.Nanoseconds(x.last.Time-x.first.Time), nil)
		f.See("frame of the last", e.FrameName(x.last.Ref), nil)
	}
	f.See("client", p.Client.String(), nil).See("server", p.Server.String(), nil)
	f.See("setup and teardown", x.ladder, nil).With(x.steps...)
}

// whose says which connection the rejecting end still holds.
func (x *series) whose(e *rules.ConnRef, f *rules.Finding) {
	f.See("queue pair of the REQ", rules.Handle(x.qpn), nil)
	h := x.held
	if h == nil {
		f.Message += ": it still holds an old connection with these numbers, whose setup is not in the capture"
		return
	}
	f.Message += fmt.Sprintf(": it still holds connection %d, set up %s before", h.id, rules.Duration(x.first.Time-h.began.Time))
	if h.left {
		f.Message += " and never ended"
	}
	if h.qpn == x.qpn {
		f.Message += fmt.Sprintf(", whose queue pair 0x%06x the client reuses", x.qpn)
	} else {
		f.Message += fmt.Sprintf(", whose communication ID 0x%08x the client reuses", x.commID)
	}
	f.See("connection that is held", h.id, nil).See("since frame", e.FrameName(h.began.Ref), nil)
	f.See("silence of it before the first REQ", finding.Nanoseconds(x.asked.Time-h.last.Time), nil)
	f.With(h.began.Ref, h.last.Ref)
}

package credit

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

const (
	// mostOpen is how many open calls of an end are counted at most, the newest.
	mostOpen = 1024
	// mostEarly is how many answers wait for their calls.
	mostEarly = 8
)

// A ledger has the calls of one requester that are open, and what was granted to it, as of a
// frame of the capture.
//
// It is no memory of calls beside those that the Dissector has and the History of the
// connection: these are as of the newest message that was told, and while frames of one
// direction are missing the other direction is told first. How many calls were open when a
// frame was captured, of which answers those after it must not be taken away and those before a
// hole not counted, only events in the order of the frames can tell.
type ledger struct {
	// open are the calls without an answer, by frame. One that was retransmitted
	// counts once. Those before a hole in the capture do not count: their answers
	// may be missing.
	open []call
	// answers counts the answers, granted are the credits of the newest that
	// grants any, 0 while nobody knows, and grant is that answer.
	answers int64
	granted uint32
	grant   source
	window  window
	// lowered is the answer that granted less than the one before, which lies at point, zero if the newest did not.
	lowered flow.Moment
	point   flow.Point
	// blind says that answers may be missing before the next one: the capture began
	// late or has a hole, and what they granted is not known.
	blind bool
	// doubtful says that frames of the responder are missing which were calls, as far as is
	// known.
	doubtful bool
	// asked are the credits that the newest call asks for.
	asked uint32
	// again is when a call was last sent again.
	again int64
	// early are the last answers whose calls were not seen, nil if there are none: the
	// capture may have a call after its answer.
	early *rules.Ring[call]
}

// A call is one that is open.
type call struct {
	xid, credits uint32
	flow.Moment
	place flow.Place // of rdma_credit
}

// A source is the message that something is known from.
type source struct {
	frame flow.Ref
	place flow.Place
}

func (l *ledger) called(e *event) {
	for i := range l.open {
		if l.open[i].xid == e.xid {
			e.again, l.again = true, e.Time
			l.open = slices.Delete(l.open, i, i+1)
			break
		}
	}
	l.asked = e.credits
	if l.early != nil && l.wasAnswered(e) {
		return
	}
	if len(l.open) == mostOpen {
		l.open = slices.Delete(l.open, 0, 1)
	}
	l.open = append(l.open, call{e.xid, e.credits, e.Moment, e.place})
}

func (l *ledger) answered(e *event) {
	for i := range l.open {
		if l.open[i].xid == e.xid {
			l.open = slices.Delete(l.open, i, i+1)
			e.matched = true
			break
		}
	}
	if !e.matched {
		if l.early == nil {
			l.early = new(rules.Ring[call])
		}
		*l.early.Add(mostEarly) = call{xid: e.xid, Moment: e.Moment}
	}
	l.answers++
	e.formerly = l.granted
	if e.credits > 0 && e.credits < l.granted {
		l.lowered, l.point = e.Moment, e.point
	} else if e.credits > l.granted {
		l.lowered = flow.Moment{}
	}
	if e.credits > 0 { // else the peer deadlocks by definition: CREDIT-003
		l.granted, l.grant = e.credits, source{e.frame, e.place}
		l.window.addGrant(e.credits, e.Time, l.blind)
		l.blind = false
	}
}

// wasAnswered reports whether the answer to a call was captured before it.
func (l *ledger) wasAnswered(e *event) bool {
	for x := range l.early.All() {
		if x.xid == e.xid && x.Ref.File == e.Ref.File && e.Ref.Number-x.Ref.Number <= orderWindow {
			return true
		}
	}
	return false
}

// forget drops the open calls for which keep is false, which are the oldest, and what
// was granted: a hole may have had the answers to them, and other grants.
func (l *ledger) forget(keep func(since flow.Moment) bool) {
	l.unknown()
	for len(l.open) > 0 && !keep(l.open[0].Moment) {
		l.open = slices.Delete(l.open, 0, 1)
	}
}

// unknown forgets what was granted.
func (l *ledger) unknown() {
	l.answers, l.granted, l.window, l.blind, l.lowered = max(l.answers, 1), 0, window{}, true, flow.Moment{}
}

// limit is how many calls may be open at a time, by the highest grant that the
// requester may hold to; not ok while that is not known. Before the first answer
// it is one. What is asked for is the most that an open call asks for: those
// sent before the requester asked for less may still be open.
func (l *ledger) limit(time int64) (limit int, asked uint32, ok bool) {
	for i := range l.open {
		asked = max(asked, l.open[i].credits)
	}
	switch {
	case l.granted > 0:
		return int(min(l.window.most(time), max(asked, 1))), asked, true
	case l.answers == 0:
		return 1, asked, true
	}
	return 0, asked, false
}

// reading is how long, in nanoseconds, a requester may take to read an answer that its adapter acknowledged.
const reading = 10_000_000

// lowerLimit is limit by the newest grant, if that is lower than the one before and the adapter of the requester
// acknowledged it some time ago; not ok else.
func (l *ledger) lowerLimit(c *rules.Conn, time int64) (limit int, asked uint32, ok bool) {
	if l.lowered.Time == 0 || time-l.lowered.Time < reading || c.Delivery(l.point) != flow.Acknowledged {
		return 0, 0, false
	}
	_, asked, _ = l.limit(time)
	return int(min(l.granted, max(asked, 1))), asked, true
}

// full reports whether a call more would exceed the newest grant, or what the
// newest call asks for.
func (l *ledger) full() bool {
	n := len(l.open)
	return n > 0 && l.granted > 0 && n >= int(min(l.granted, max(l.open[n-1].credits, 1)))
}

// oldest is the open call that was sent first; there must be one.
func (l *ledger) oldest() *call { return &l.open[0] }

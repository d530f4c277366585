package credit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

// An account has the flow control of one connection: what happened, in the order
// of the frames, and a ledger for the calls of each end.
//
// What waits in its queue is no record of messages beside that of package requests: it is
// put in order there, and gone once it is entered.
type account struct {
	c *rules.Conn
	// requesters are the ledgers, by the end that sends the calls.
	requesters [2]ledger
	// stray is when an end last sent what is neither call nor answer, or answers
	// no call that is known: it took a receive of its peer all the same.
	stray [2]int64
	// began is the time of the newest frame when the first event came. What came before
	// may not have been known to be of the connection.
	began int64

	queue  []event // by frame
	newest *event  // of the queue, that of the message which is told, nil if it has none
	// holes are those in what each end sent, when they were last looked at, and kept is the
	// last of which nothing was forgotten.
	holes   [2]int64
	kept    [2]flow.Moment
	emitted entered // what the rules receive
	ending  bool    // the Terminate was noted
}

// accountSlot is where each connection keeps it.
const accountSlot = rules.ConnSlot[account](rules.KeepsCREDITAccount)

// mostQueued is how many events wait at most. When there are more, the gap is such
// that none of them can be judged, and the ledgers begin anew.
const mostQueued = 1024

// accountOf is the account of a connection, for rules that need accounts.
func accountOf(c *rules.Conn) *account {
	a := accountSlot.Of(c)
	if a.c == nil {
		a.c = c
	}
	return a
}

// forward and reverse are the ledgers of the calls in forward direction, which the
// client sends, and in reverse direction.
func (a *account) forward() *ledger { return &a.requesters[a.c.ClientEnd&1] }
func (a *account) reverse() *ledger { return &a.requesters[a.c.ClientEnd.Peer()&1] }

// ledgerOf is the ledger that an event belongs to: that of the call, or of the call
// that is answered.
func (a *account) ledgerOf(e *event) *ledger {
	if e.kind == answered {
		return &a.requesters[e.from.Peer()&1]
	}
	return &a.requesters[e.from&1]
}

// accounts takes the events.
func accounts() rules.Knowledge {
	gates := []rules.Limitation{rules.BeganLate, rules.JustBegun, rules.OneDirection, rules.LostSince, rules.Lossy}
	return rules.Knowledge{Keeping: rules.KeepsCREDITAccount, Needs: []rules.Knowledge{requests.Knowledge(), setup.Knowledge()}, Limitations: gates, On: []rules.Event{
		rules.OnMessage(0, message),
		rules.OnFrame(rules.Refusing|rules.Settling|rules.Ending, frame),
		rules.OnEnd(func(c *rules.Conn, _ rules.Reporter) {
			if a := accountSlot.IfAny(c); a != nil {
				a.enterWaiting()
			}
		}),
	}}
}

func message(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	a := accountOf(c)
	a.newest = nil
	switch {
	case c.OneDirection():
	case m.Header.Length >= rpcrdma.AtCredits+xdr.WordSize:
		a.message(m)
	default: // cut before its credits, but there
		*a.next() = event{kind: stray, from: m.From, Moment: flow.Moment{Ref: m.Frames[0], Time: m.First}, frame: m.Frame()}
		a.enter()
	}
}

func (a *account) message(m *dissect.Message) {
	h, frame := &m.Header, m.Frame()
	e := a.next()
	e.kind, e.from, e.xid, e.credits, e.version = stray, m.From, h.XID, h.Credits, h.Version
	e.Moment, e.frame = m.Moment(), frame
	e.had, e.answered = m.Point.Had, m.Point.Acknowledged
	switch m.Role() {
	case dissect.RoleCall:
		if h.Fault.Bad() || rules.Guessed(m) || h.Proc == rpcrdma.RDMANoMsg && a.c.RolesKnown && !a.c.ToServer(m.From) {
			break // its responder may drop it, or it is the answer to a call that is missing
		}
		e.kind = called
		e.nfs4 = m.HasRPC && m.CallHeader.Program == rpc.ProgramNFS && m.CallHeader.Version == 4
	case dissect.RoleAnswer:
		// It left the responder with its first frame.
		e.kind, e.Moment, e.failed = answered, flow.Moment{Ref: m.Frames[0], Time: m.First}, h.Proc == rpcrdma.RDMAError
		e.point = m.Point
	}
	var places [2]flow.Place
	if p := m.Place(places[:0], rpcrdma.AtCredits, xdr.WordSize); len(p) > 0 {
		e.place = p[0]
	}
	a.enter()
}

// frame notes what a receiver refuses, and settles what waited if nothing is missing
// any more. It sees each frame after the messages that this completed.
func frame(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if ib := v.IB; ib == nil {
		terminated(c, v)
	} else if at := ib.AETH(); at != 0 && ib.Syndrome().IsRNR() && refuses(c, v, ib) {
		accountOf(c).refusal(v, v.Verdict.From, flow.Place{Offset: v.Link.Start() + at, Length: 1})
	}
	if a := accountSlot.IfAny(c); a != nil && len(a.queue) > 0 {
		a.enterIfComplete()
	}
}

// enterIfComplete settles what waits if nothing is missing.
func (a *account) enterIfComplete() {
	if a.c.Gap() {
		if len(a.queue) >= mostQueued {
			a.restart()
		}
		return
	}
	a.enterWaiting()
}

// terminated notes a Terminate for want of a receive.
func terminated(c *rules.Conn, v *dissect.FrameView) {
	t := c.Termination
	if t == nil {
		return
	}
	a := accountOf(c)
	if !a.ending && t.Code() == iwarp.NoBuffer && !ofTooLong(c, t) {
		a.refusal(v, c.TerminatedBy, flow.Place{})
	}
	a.ending = true
}

// ofTooLong reports whether a Terminate may be for the length of a Send: Soft-iWARP says that
// there is no buffer for one that is longer than the buffer.
func ofTooLong(c *rules.Conn, t *iwarp.Termination) bool {
	from := c.TerminatedBy.Peer()
	r := requests.Of(c).RefusedBy(t, from)
	if r == nil {
		r = requests.Of(c).Newest(from)
	}
	if r == nil {
		return false
	}
	limit, known := setup.LimitOf(c, from)
	return known && r.Length > limit.Bytes
}

// refuses reports whether an RNR NAK is for a Send that was captured: one that was not
// may be of another kind. What the end acknowledged since, it refused before that.
func refuses(c *rules.Conn, v *dissect.FrameView, ib *rocev2.Packet) bool {
	if v.Verdict.Note != flow.InOrder {
		return false
	}
	r := requests.Of(c).Find(v.Verdict.From.Peer(), ib.PSN)
	return r != nil && r.Kind() == rocev2.KindSend && !r.Acknowledged(c)
}

// refusal notes that an end had no receive for a Send, as a frame shows.
func (a *account) refusal(v *dissect.FrameView, from flow.End, place flow.Place) {
	place.Ref = rules.Ref(v)
	*a.next() = event{kind: refused, from: from, Moment: rules.Moment(v), frame: place.Ref, place: place}
	a.enter()
}

// next is room for an event at the end of the queue.
func (a *account) next() *event {
	a.queue = append(a.queue, event{})
	return &a.queue[len(a.queue)-1]
}

// enter puts the last event at its place in the queue.
func (a *account) enter() {
	if a.began == 0 {
		a.began = max(a.c.Capture.Now, 1)
	}
	i := len(a.queue) - 1
	for ; i > 0 && a.queue[i].Before(a.queue[i-1].Moment); i-- {
		a.queue[i], a.queue[i-1] = a.queue[i-1], a.queue[i]
	}
	a.newest = &a.queue[i]
}

// enterWaiting enters all that waits into the ledgers.
func (a *account) enterWaiting() {
	for i := range a.requesters {
		a.hole(flow.End(i))
	}
	for i := range a.queue {
		e := &a.queue[i]
		l := a.ledgerOf(e)
		switch e.kind {
		case called:
			if a.behindHoles(e.from.Peer(), e.Moment) {
				l.called(e)
			}
		case answered:
			l.blind = l.blind || l.answers == 0 && a.c.JustBegun(e.frame)
			if l.answered(e); !e.matched {
				a.stray[e.from&1] = e.Time
			}
			if !a.behindHoles(e.from, e.Moment) {
				l.unknown()
			}
		case stray:
			a.stray[e.from&1] = e.Time
		}
		a.emit(e, l)
	}
	a.queue = a.queue[:0]
}

// hole has the ledger of a requester forget what a new hole in what its responder sent may
// have changed: answers and grants. It has none where the hole is known to be calls.
func (a *account) hole(requester flow.End) {
	responder := requester.Peer()
	n := a.c.HolesOf(responder)
	if n == a.holes[responder&1] {
		return
	}
	a.holes[responder&1] = n
	l := &a.requesters[requester&1]
	if l.doubtful = a.c.AccountedCalls(responder, 0); l.doubtful {
		a.kept[responder&1] = a.c.LastHoleOf(responder)
		return
	}
	l.forget(func(since flow.Moment) bool { return a.behindHoles(responder, since) })
}

// behindHoles reports whether no answer of an end is known to be missing from the capture
// since a moment.
func (a *account) behindHoles(responder flow.End, since flow.Moment) bool {
	hole := a.c.LastHoleOf(responder)
	return a.c.Limited(rules.LostSince, hole.Ref.Number == 0 || hole == a.kept[responder&1]) || !since.Before(hole)
}

// restart forgets all, where too much is missing to know any of it.
func (a *account) restart() {
	a.queue = a.queue[:0]
	for i := range a.requesters {
		l := &a.requesters[i]
		*l = ledger{open: l.open[:0], answers: l.answers + 1, blind: true}
	}
}

// doubtLast is why a responder may have answered after all.
const doubtLast = "a reply may be missing from the capture: no later message from the responder rules that out"

// doubtUnread is why a requester may hold to a former grant.
const doubtUnread = "the requester's adapter had acknowledged the lower grant, but the requester may not have read it yet"

// orderWindow is how many frames too late one may be where the order is in doubt.
const orderWindow = 64

// excused reports whether an answer that was captured after a call may have been
// there before it, since the order of the two is in doubt.
func (a *account) excused(answer *event, call flow.Ref) bool {
	return a.doubt() != "" && (answer.Ref.File != call.File || answer.Ref.Number-call.Number <= orderWindow)
}

// doubt is why the order of the events is in doubt, "" if it is not.
func (a *account) doubt() string {
	if a.c.Disordered() {
		return finding.DoubtOrder
	}
	return ""
}

package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/pause"
	"github.com/rdmacap/rdmacap/rocev2"
)

// timing is how far an open RPC has come, and where its time went so far. What happens next
// decides what the time since the last event belongs to.
type timing struct {
	ns   [NumPhases]int64
	at   int64 // of the last event
	trip int64 // from the call to the first answer of any sort: a round trip took no longer
	next *RPC  // in the ring of calls that are not acknowledged, then of RPCs that are held; nil if it is in none
	stage
	acknowledged, credit, orLost bool
	// again says that the responder sent something again since the last event: what it sends for the RPC may have
	// waited for that.
	again bool
	// What passed of the latency while the link was paused, see Parts.
	paused    int64
	kinds     pause.Set
	ownPaused bool
}

// stage is what an RPC waits for.
type stage uint8

const (
	calling stage = iota // that the call is acknowledged
	serving              // for a sign of the responder
	reading              // for data that the responder reads, or what it does with them
	writing              // for more that it writes, or the reply
	replied              // for nothing: the reply was told
)

// endPhase counts the time up to an event as a part.
func (t *timing) endPhase(p Phase, until int64) {
	if until > t.at {
		t.ns[p] += until - t.at
		t.at = until
	}
}

// pace is what the timings of a connection's RPCs share.
type pace struct {
	// newest is when an end last sent something new in its order, and gap when first something came
	// after what is missing since.
	newest, gap [2]int64
	// unacked are the calls of an end that are not acknowledged: the newest, whose next is the oldest.
	unacked [2]*RPC
	// full is since when the client has used all of its credits, 0 if it has not, and freed when
	// a reply gave it one.
	full, freed int64
	granted     uint32
}

// creditHaste is within how many nanoseconds of the reply that gives a credit back a call that waited for
// one is sent.
const creditHaste = 10_000_000

// beginRPC begins the timing of a call.
func (c *Connection) beginRPC(r *RPC) {
	t, p := &r.timing, &c.pace
	*t = timing{at: r.Call.Last}
	if r.Requester == c.ClientEnd {
		c.takeCredit(r)
	}
	switch {
	case c.Mixed || c.Delivery(r.Call.Point) == flow.Acknowledged:
		return // the order of the capture is not that of the wire
	case c.Coming == flow.LostOnWire:
		t.endPhase(PhaseRetransmission, c.LastTime)
	}
	newest := p.unacked[r.Requester]
	if newest == nil {
		newest = r
		t.next = r
	}
	t.next, newest.timing.next = newest.timing.next, r
	p.unacked[r.Requester] = r
}

// takeCredit notes that a call of the client takes a credit, and for how long there was none.
func (c *Connection) takeCredit(r *RPC) {
	p, t := &c.pace, &r.timing
	t.credit = p.granted > 0 && c.RolesKnown && !c.gapped() && !c.Mixed
	if p.freed > 0 {
		if wait := p.freed - p.full; t.credit && wait > 0 && r.Call.First-p.freed <= creditHaste {
			t.ns[PhaseCreditWait] = wait
		}
		p.full, p.freed = 0, 0
	}
	if open := c.Outstanding(r.Requester) + 1; p.granted > 0 && open >= int(p.granted) && p.full == 0 {
		p.full = r.Call.Last
	}
}

// giveCredit notes what a reply grants.
func (c *Connection) giveCredit(m *Message) {
	p := &c.pace
	p.granted = m.Header.Credits
	if p.full > 0 && p.freed == 0 && c.Outstanding(c.ClientEnd)-1 < int(p.granted) {
		p.freed = m.Last
	}
}

// noteAcknowledged notes which calls were acknowledged by now.
func (c *Connection) noteAcknowledged() {
	for end := range c.pace.unacked {
		for newest := c.pace.unacked[end]; newest != nil; newest = c.pace.unacked[end] {
			r := newest.timing.next
			if c.Delivery(r.Call.Point) != flow.Acknowledged {
				break
			}
			if t := &r.timing; t.stage == calling {
				t.trip = max(0, c.LastTime-t.at)
				t.endPhase(PhaseCall, c.LastTime)
				t.stage, t.acknowledged = serving, true
			}
			c.unlink(r)
		}
	}
}

// unlink takes a call out of the ring of those that are not acknowledged.
func (c *Connection) unlink(r *RPC) {
	if r.timing.next == nil {
		return
	}
	newest := &c.pace.unacked[r.Requester]
	before := *newest
	for before.timing.next != r {
		before = before.timing.next
	}
	switch {
	case before == r:
		*newest = nil
	case *newest == r:
		*newest = before
	}
	before.timing.next = r.timing.next
	r.timing.next = nil
}

// signed counts the time up to a sign of the responder, an RDMA Read request, a Write or the
// reply; between is what passed if the last event was one too.
func (r *RPC) signed(now int64, between Phase) {
	c, t := r.Connection, &r.timing
	sender := r.Requester.Peer()
	var p Phase
	switch {
	case t.stage == calling:
		p = PhaseUnknown
		t.trip = max(t.trip, now-t.at)
	case between != PhaseReadChunks && len(r.Call.Header.Reads) > 0 && !r.Offer.PulledToEnd():
		p = PhaseUnknown // of its Read chunks the responder may have waited for data, as far as the capture shows
	case t.stage == serving:
		p = PhaseServer
	case t.stage == reading:
		if between == PhaseReadChunks {
			p = between
			break
		}
		// The last of the data have yet to arrive, and the sign has to come back.
		p = PhaseUnknown
		if t.acknowledged {
			p = PhaseReadChunks
		}
		t.endPhase(p, min(now, t.at+t.trip))
		p = PhaseServer
	default:
		p = between
	}
	silent := max(t.at, c.pace.newest[sender])
	if gap := c.pace.gap[sender]; c.Coming == flow.LostOnWire && now >= c.LastTime {
		// The first one was sent before what showed that it is missing.
		if p != PhaseUnknown {
			t.endPhase(p, min(silent, now))
		}
		if gap > 0 {
			t.endPhase(PhaseUnknown, min(gap, now))
			t.endPhase(PhaseRetransmission, now)
		}
		p = PhaseUnknown
	}
	switch {
	case p != PhaseServer:
	case t.again:
		p = PhaseUnknown
	case now-silent >= c.leastTimeout():
		t.orLost = true
	}
	t.endPhase(p, now)
	t.again = false
}

// asks notes that the responder asks for data of the call.
func (r *RPC) asks(now int64) {
	if t := &r.timing; t.stage != replied {
		r.signed(now, PhaseReadChunks)
		t.stage = reading
	}
}

// brings notes that data of the call came.
func (r *RPC) brings(now int64) {
	t := &r.timing
	if t.stage == replied {
		return
	}
	p := PhaseReadChunks
	if r.Connection.Coming == flow.LostOnWire {
		p = PhaseRetransmission
	}
	t.endPhase(p, now)
	t.stage, t.again = reading, false
}

// places notes that the responder writes a part of the result.
func (r *RPC) places(now int64) {
	if t := &r.timing; t.stage != replied {
		r.signed(now, PhaseWriteChunks)
		t.stage = writing
	}
}

// replies ends the timing with the reply, which may have been captured before what was told
// before it: what waited for frames that were missing.
func (r *RPC) replies() {
	c, t, now := r.Connection, &r.timing, r.Reply.First
	r.signed(now, PhaseWriteChunks)
	c.unlink(r)
	t.stage = replied
	for _, p := range [...]Phase{PhaseRetransmission, PhaseWriteChunks, PhaseReadChunks, PhaseServer, PhaseCall, PhaseUnknown} {
		n := max(0, min(t.at-now, t.ns[p]))
		t.ns[p] -= n
		t.at -= n
	}
	t.ns[PhaseReply] = max(0, r.Reply.Last-now)
}

// leastTimeout is after how many nanoseconds without an acknowledgement an end sends again at the soonest.
func (c *Connection) leastTimeout() int64 {
	const (
		leastRTO = 200_000_000 // as Linux has it; RFC 6298, section 2.4, wants a second
		unit     = 4096        // IBA 9.7.6.1.3
		usual    = 14          // 67 ms; adapters have a least one of their own
	)
	if c.IWARP() {
		return leastRTO
	}
	for i := range c.Handshake.Declared {
		if x := c.Handshake.Declared[i].AckTimeout; x.Known && x.Value > 0 {
			return unit << min(x.Value, 31)
		}
	}
	return unit << usual
}

// mostTimed is the number of open calls of a connection above which none is told that something was retransmitted.
const mostTimed = 1024

// paced takes note of how a frame came that carries what takes a place in its sender's order.
func (d *Dissector) paced(v *FrameView) {
	c, p := v.Connection, &v.Connection.pace
	if c.protocol != rpcRDMA {
		return
	}
	from, now := v.Verdict.From, v.Time
	request := v.IB == nil && v.PayloadLength() > 0 || v.IB != nil && v.IB.OpCode.IsRequest() && v.IB.OpCode.Transport() != rocev2.TransportUD
	switch v.Verdict.Note {
	case flow.InOrder:
		if request {
			p.newest[from], p.gap[from] = now, 0
		}
	case flow.Gap:
		if request && p.gap[from] == 0 {
			p.gap[from] = now
		}
	case flow.Retransmission, flow.LostOnWire:
		c.replyResent(v, request)
		if len(c.calls) > mostTimed {
			return // no window is as large: replies are missing
		}
		for _, r := range c.calls {
			r.resent(v, request)
		}
	}
}

// resent notes that a frame was retransmitted while the RPC was open.
func (r *RPC) resent(v *FrameView, request bool) {
	c, t, from := r.Connection, &r.timing, v.Verdict.From
	if from == r.Requester {
		switch {
		case t.stage == calling && t.next != nil && (v.IB == nil || request && rocev2.PSNDiff(v.IB.PSN, r.Call.Point.Last) <= 0),
			t.stage == reading && (v.IB == nil || !request):
			t.endPhase(PhaseRetransmission, v.Time)
			t.again = false
		}
		return
	}
	if !request {
		return
	}
	// What the responder sends after that cannot arrive before it. By its order, whatever it sent
	// new meanwhile was before what it has yet to send for this RPC.
	p := PhaseServer
	switch t.stage {
	case calling, replied:
		return
	case reading:
		p = PhaseReadChunks
	case writing:
		p = PhaseWriteChunks
	}
	t.endPhase(p, min(v.Time, max(c.pace.newest[from], c.pace.gap[from])))
	t.endPhase(PhaseRetransmission, v.Time)
	t.again = true
}

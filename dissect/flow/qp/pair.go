package qp

import (
	"sort"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// Where the setup of a connection was not captured, nothing in a packet says
// which two half connections are one. A half waits, its packets kept, until
// one other half between the same two addresses shows that it is the other
// direction (evidence.go). A half that finds no such evidence becomes a
// connection of its own, of which one direction was captured.

// maxQueue is how many packets of one half wait; flow.Limits has limits of all halves.
const maxQueue = 1024

// wait queues a packet of a half whose connection is unknown, and pairs the
// half if the packet gives the evidence.
func (t *Tracker) wait(h *requester, p *flow.Frame) flow.Verdict {
	k := keep(h, p)
	k.seq = t.Frames
	k.xid = t.xidOf(p)
	h.queue = append(h.queue, k)
	h.offer(k)
	h.queued += k.cost()
	t.queued += k.cost()
	if g := t.findPeer(h, p, k.xid); g != nil {
		return t.pair(h, g)
	}
	if len(h.queue) >= maxQueue || len(h.queue)%aloneQueue == 0 && t.alone(h) {
		return t.release(h)
	}
	v := flow.Verdict{Waiting: true}
	for t.tooMany(h) || t.queued > t.Limits.Queued {
		if longest := t.waiting.Oldest(); longest == h {
			v = t.release(h)
		} else {
			t.release(longest)
		}
	}
	return v
}

// tooMany reports whether more halves wait than may, when one of two hosts has come.
func (t *Tracker) tooMany(h *requester) bool {
	if t.waiting.N <= t.Limits.Waiting {
		return false
	}
	beside := t.waiting.N
	if s := h.search; s != nil { // it still waits
		beside -= s.among.requesters.N
		if s.among.opposite != s.among {
			beside -= s.among.opposite.requesters.N
		}
	}
	return beside > t.Limits.Waiting || t.waiting.N > t.Limits.Pair
}

// joinWaiting gives a connection of which one direction was seen the other one,
// if a packet shows that it waits.
func (t *Tracker) joinWaiting(h *requester, p *flow.Frame) {
	e := t.xidOf(p)
	if e.ok {
		h.remember(e)
	}
	if g := t.findPeer(h, p, e); g != nil && g.conn == nil {
		t.attach(h.conn, g, h.end.Peer())
		t.replay(g)
	}
}

// pair makes one connection of two halves, or gives h to the connection that g
// has, and goes through all that waited.
func (t *Tracker) pair(h, g *requester) flow.Verdict {
	c := g.conn
	if c == nil {
		if g.queue[0].seq > h.queue[0].seq {
			h, g = g, h
		}
		c = t.newConn(flow.SetupInferred)
		t.attach(c, g, 0)
	}
	t.attach(c, h, g.end.Peer())
	return t.replay(h, g)
}

// release gives up waiting for the half's other direction.
func (t *Tracker) release(h *requester) flow.Verdict {
	c, end := t.adopter(h)
	if c == nil {
		c, end = t.newConn(flow.SetupInferred), 0
	}
	t.attach(c, h, end)
	return t.replay(h)
}

// attach makes h the direction of the connection that end sends.
func (t *Tracker) attach(c *qpConn, h *requester, end flow.End) {
	if g := c.requesters[end]; g != nil && g != h {
		// What seemed to be its direction is another's: the setup says so. If it goes
		// on, that is a connection found anew.
		t.forgetRequester(g)
		t.last = [2]*requester{}
	}
	h.conn, h.end = c, end
	if h.search != nil {
		t.waiting.Remove(&h.search.waiting)
	}
	c.requesters[end] = h
	if g := c.requesters[end.Peer()]; g != nil {
		h.peer, g.peer = g, h
		t.paired(h)
		t.paired(g)
	} else {
		t.unpair(h)
	}
	if h.transport != link.NotRDMA {
		c.Transport = h.transport
	}
	c.Ends[end].Addr = h.key.src
	c.Ends[end.Peer()].Addr = h.key.dst
	c.Ends[end.Peer()].QPN, c.Ends[end.Peer()].HasQPN = h.key.qpn, true
}

// replay processes what waited in the halves, in the order of capture, and
// returns the verdict of the last of it.
func (t *Tracker) replay(halves ...*requester) (v flow.Verdict) {
	var queue []*held
	for _, h := range halves {
		queue = append(queue, h.queue...)
		t.queued -= h.queued
		if !h.known {
			h.beginWaiting()
		}
		h.withdrawQueue()
		h.queue, h.queued = nil, 0
	}
	sort.SliceStable(queue, func(i, j int) bool { return queue[i].seq < queue[j].seq })
	if len(queue) > 0 {
		// The connection begins with the first frame that waited.
		c := queue[0].requester.conn
		c.Cover(queue[0].Ref(), queue[0].Time)
		t.Open(&c.Conn)
	}
	for _, k := range queue {
		v = flow.Verdict{}
		t.packet(k.requester, &k.Frame, &v)
	}
	return v
}

// adopter returns the connection whose setup was captured on one side only
// and which lacks exactly such a half, and the end that sends it; nil if there
// are several, if the half was there before the setup, or if another half
// could be the one.
func (t *Tracker) adopter(h *requester) (found *qpConn, end flow.End) {
	for g := range h.search.among.opposite.setUp.Values {
		c := g.conn
		if !c.During(h.queue[0].seq) {
			continue
		}
		if found != nil {
			return nil, 0
		}
		found, end = c, g.end.Peer()
	}
	if found != nil && h.search.among.requesters.N > 1 {
		return nil, 0
	}
	return found, end
}

// named gives a connection the half that a DREQ proves to be its: the DREQ names
// the peer's queue pair, as the packets of its sender do.
func (t *Tracker) named(c *qpConn, sender flow.End, qpn uint32) {
	if c.requesters[sender] != nil {
		return
	}
	h := t.requesters[key{c.Ends[sender].Addr, c.Ends[sender.Peer()].Addr, qpn, c.transport}]
	if h != nil && h.conn == nil && c.During(h.queue[0].seq) {
		t.attach(c, h, sender)
		t.replay(h)
	}
}

// Adopt gives a connection that is about to close the half that it lacks.
func (t *Tracker) Adopt(ended *flow.Conn) {
	c := ended.Carrier().(*qpConn)
	if c.Setup != flow.SetupCM || !c.lacksRequester() {
		return
	}
	for _, g := range c.requesters {
		if g == nil {
			continue
		}
		// Only the one half that could be meant.
		if g.search == nil {
			return
		}
		if others := &g.search.among.opposite.requesters; others.N == 1 && others.Oldest().conn == nil {
			h := others.Oldest()
			if found, end := t.adopter(h); found == c {
				t.attach(c, h, end)
				t.replay(h)
			}
		}
		return
	}
}

package flow

import (
	"sort"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Where the set-up of a connection was not captured, nothing in a packet says
// which two half connections are one. A half waits, its packets kept, until
// one other half between the same two addresses shows that it is the other
// direction: by a response whose PSN is that of a request, or by the reply to
// a call. A half that finds no such evidence becomes a connection of its own,
// of which one direction was captured.

// Limits of the wait.
const (
	maxWaiting     = 1024    // halves
	maxQueue       = 1024    // packets of one half
	maxQueueOctets = 8 << 20 // octets of the packets of all halves
	recentPSNs     = 64      // how far back a response may reach in a half that did not wait
)

// wait queues a packet of a half whose connection is unknown, and pairs the
// half if the packet gives the evidence.
func (t *Tracker) wait(h *half, p *packet) Verdict {
	k := keep(h, p)
	k.seq = t.frames
	h.queue = append(h.queue, k)
	h.queued += len(k.ib.Octets)
	t.queued += len(k.ib.Octets)
	if g := t.findPeer(h, p); g != nil {
		return t.pair(h, g)
	}
	if len(h.queue) >= maxQueue {
		return t.release(h)
	}
	for len(t.waiting) > maxWaiting || t.queued > maxQueueOctets {
		t.release(t.waiting[0])
	}
	return Verdict{Waiting: true}
}

// joinWaiting gives a connection of which one direction was seen the other one,
// if a packet shows that it waits.
func (t *Tracker) joinWaiting(h *half, p *packet) {
	c := h.conn
	if c.Setup != SetupInferred {
		return
	}
	if g := t.findPeer(h, p); g != nil && g.conn == nil {
		c.attach(g, h.end.Peer())
		t.replay(g)
	}
}

// findPeer returns the one half that the packet shows to be the other
// direction of h; nil if none or several could be.
func (t *Tracker) findPeer(h *half, p *packet) (found *half) {
	for _, g := range t.waiting {
		if g.opposes(h) && evidence(t, h, g, p) {
			if found != nil {
				return nil
			}
			found = g
		}
	}
	for _, c := range t.conns {
		for _, g := range c.halves {
			if g != nil && g != h && c.OneWay() && !c.Ends[g.end].HasQPN && g.opposes(h) && evidence(t, h, g, p) {
				if found != nil {
					return nil
				}
				found = g
			}
		}
	}
	return found
}

// opposes reports whether the halves run between the same addresses in
// opposite directions.
func (h *half) opposes(g *half) bool {
	return h.key.src == g.key.dst && h.key.dst == g.key.src && h.key.service == g.key.service
}

// evidence reports whether packet p of h belongs together with something that g
// sent.
func evidence(t *Tracker, h, g *half, p *packet) bool {
	if !p.ib.OpCode.IsRequest() {
		return g.requested(p.ib.PSN)
	}
	for _, k := range g.queue {
		if !k.ib.OpCode.IsRequest() && carries(p, k.ib.PSN) {
			return true
		}
	}
	if t.opts.Peek == nil || p.ib.OpCode.Kind() != rocev2.KindSend {
		return false
	}
	id, call, ok := t.opts.Peek(p.ib.Payload())
	if !ok {
		return false
	}
	for _, k := range g.queue {
		if k.ib.OpCode.Kind() != rocev2.KindSend {
			continue
		}
		if other, otherCall, ok := t.opts.Peek(k.ib.Payload()); ok && other == id && call != otherCall {
			return true
		}
	}
	return false
}

// requested reports whether the half sent a request with that PSN lately.
func (h *half) requested(psn uint32) bool {
	for _, k := range h.queue {
		if k.ib.OpCode.IsRequest() && carries(&k.packet, psn) {
			return true
		}
	}
	if h.conn == nil || !h.known {
		return false
	}
	d := rocev2.PSNDiff(h.next, psn)
	return d > 0 && d <= recentPSNs
}

// carries reports whether the PSN is that of the request, or one that the
// response to a READ request has.
func carries(p *packet, psn uint32) bool {
	d := rocev2.PSNDiff(psn, p.ib.PSN)
	if d == 0 {
		return true
	}
	return p.ib.OpCode.Kind() == rocev2.KindReadRequest && d > 0 && uint32(d) < packets(p.ib.DMALen(), 256)
}

// pair makes one connection of two halves, or gives h to the connection that g
// has, and goes through all that waited.
func (t *Tracker) pair(h, g *half) Verdict {
	c := g.conn
	if c == nil {
		if len(g.queue) > 0 && g.queue[0].seq > h.queue[0].seq {
			h, g = g, h
		}
		c = t.newConn(SetupInferred)
		c.attach(g, 0)
	}
	c.attach(h, g.end.Peer())
	return t.replay(h, g)
}

// release gives up waiting for the half's other direction.
func (t *Tracker) release(h *half) Verdict {
	if c, end := t.adopter(h.key); c != nil {
		c.attach(h, end)
		return t.replay(h)
	}
	c := t.newConn(SetupInferred)
	c.attach(h, 0)
	return t.replay(h)
}

// attach makes h the direction of the connection that end sends.
func (c *Conn) attach(h *half, end End) {
	h.conn, h.end = c, end
	c.halves[end] = h
	if g := c.halves[end.Peer()]; g != nil {
		h.peer, g.peer = g, h
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
func (t *Tracker) replay(halves ...*half) (v Verdict) {
	var queue []*held
	for _, h := range halves {
		queue = append(queue, h.queue...)
		t.queued -= h.queued
		h.queue, h.queued = nil, 0
		t.unwait(h)
	}
	sort.SliceStable(queue, func(i, j int) bool { return queue[i].seq < queue[j].seq })
	if len(queue) > 0 {
		// The connection begins with the first frame that waited.
		c := queue[0].half.conn
		c.seen(queue[0].ref, queue[0].time)
		t.open(c)
	}
	for _, k := range queue {
		v = t.packet(k.half, &k.packet)
	}
	return v
}

func (t *Tracker) unwait(h *half) {
	for i, w := range t.waiting {
		if w == h {
			t.waiting = append(t.waiting[:i], t.waiting[i+1:]...)
			return
		}
	}
}

// adopter returns the connection whose set-up was captured on one side only
// and which lacks exactly such a half, if there is just one, and the end that
// the half is sent by.
func (t *Tracker) adopter(k key) (found *Conn, end End) {
	for _, c := range t.conns {
		if c.Setup != SetupCM || c.Closing != Open {
			continue
		}
		for e := range End(2) {
			to := &c.Ends[e.Peer()]
			if c.halves[e] == nil && !to.HasQPN && to.Addr == k.dst && c.Ends[e].Addr == k.src && c.service() == k.service {
				if found != nil {
					return nil, 0
				}
				found, end = c, e
			}
		}
	}
	return found, end
}

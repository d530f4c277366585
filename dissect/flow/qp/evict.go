package qp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Where more connections are open than there is room for, one of those that were
// unused for longest is closed. If it goes on, that is a connection found anew, but
// who belongs to whom is still known: nothing has to wait until that shows.

// Evicting notes what is left of a connection that is closed to make room.
func (t *Tracker) Evicting(c *flow.Conn) {
	evicted := c.Carrier().(*qpConn)
	evicted.left = leftOf(evicted)
}

// leave keeps what is left of a connection, if anything.
func (t *Tracker) leave(left *evicted) {
	if left == nil {
		return
	}
	if len(t.evicted) >= flow.MaxMarks {
		clear(t.evicted)
	}
	for _, k := range left.keys {
		t.evicted[k] = left
	}
}

// An evicted connection is what is left of one that was closed to make room: by the
// end that sends, its two halves and the PSN of the next request of each, if known.
type evicted struct {
	keys       [2]key
	next       [2]uint32
	known      [2]bool
	spoke      [2]bool // there was a packet
	transport  link.Transport
	mtu        int
	client     flow.End
	rolesKnown bool
}

// leftOf is what is left of a connection, nil if it has ended of itself or has only
// one direction.
func leftOf(c *qpConn) *evicted {
	if c.Closing != flow.Open || c.lacksRequester() {
		return nil
	}
	left := &evicted{transport: c.Transport, mtu: c.PathMTU, client: c.ClientEnd, rolesKnown: c.RolesKnown}
	for e, h := range c.requesters {
		left.keys[e], left.next[e], left.known[e], left.spoke[e] = h.key, h.next, h.known, h.spoke
	}
	return left
}

// continuesWith reports whether a packet of a half can be the next of it.
func (left *evicted) continuesWith(k *key, p *flow.Frame) bool {
	e := 0 // whose requests have PSNs of the same space
	if (left.keys[0] == *k) != p.IB.OpCode.IsRequest() {
		e = 1
	}
	d := rocev2.PSNDiff(p.IB.PSN, left.next[e])
	return left.known[e] && -maxPSNJump <= d && d <= maxPSNJump
}

// resume makes a connection of what is left of an evicted one, and returns the half
// that a packet is of; nil if there is nothing left, or its queue pairs serve another
// by now.
func (t *Tracker) resume(k *key, p *flow.Frame) *requester {
	left := t.evicted[*k]
	if left == nil {
		return nil
	}
	for _, k := range left.keys {
		if t.evicted[k] == left {
			delete(t.evicted, k)
		}
	}
	if !left.continuesWith(k, p) {
		return nil
	}
	for _, k := range left.keys {
		if _, ended := t.marks[k]; ended || t.requesters[k] != nil {
			return nil
		}
	}
	c := t.newConn(flow.SetupInferred)
	c.PathMTU, c.ClientEnd, c.RolesKnown = left.mtu, left.client, left.rolesKnown
	for e, k := range left.keys {
		h := t.emptyRequester(k)
		h.transport, h.next, h.known, h.spoke = left.transport, left.next[e], left.known[e], left.spoke[e]
		t.requesters[k] = h
		t.attach(c, h, flow.End(e))
	}
	t.last = [2]*requester{}
	t.Open(&c.Conn)
	return t.requesters[*k]
}

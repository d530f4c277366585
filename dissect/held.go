package dissect

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A reply is an answer when its receiver took it. So an RPC that is all there waits until its
// reply is acknowledged before a Sink receives it:
//
//	reply          ──> held
//	Acknowledge    ──> told: answered
//	fatal NAK      ──> told: not answered, its reply was refused
//	nothing at all ──> told, after maxHeld others, after heldFor or at the end: answered, unless
//	                   the reply was retransmitted until the connection ended
//
// Replies of one end are acknowledged in the order in which it sent them, so only the oldest
// of each end has to be looked at.

// maxHeld is how many RPCs of a connection wait for the acknowledgement of their replies, for
// each end: more than a usual window of credits. It bounds them where the capture lacks the
// acknowledgements.
const maxHeld = 256

const (
	// maxHeldLong is how many bytes of long messages those of a connection may have: all
	// connections share what they take.
	maxHeldLong = 256 << 10
	// heldFor is for how long, in nanoseconds, one waits whose reply is not sent again: longer than
	// an end waits for an acknowledgement.
	heldFor = 10_000_000_000
)

// longBytes are those of the long messages of an RPC.
func (r *RPC) longBytes() int { return len(r.Offer.LongCall) + len(r.Offer.LongReply) }

// heldLong are those of all that are held.
func (c *Connection) heldLong() (n int) {
	r := c.held
	for range c.holds {
		r = r.timing.next
		n += r.longBytes()
	}
	return n
}

// hold keeps an RPC that is complete until its reply is acknowledged.
func (d *Dissector) hold(r *RPC) {
	c := r.Connection
	if c.Delivery(r.Reply.Point) == flow.Acknowledged || !r.Reply.Point.Numbered {
		d.finish(r, 0)
		return
	}
	for c.holds == maxHeld || c.held != nil && r.longBytes() > 0 && c.heldLong()+r.longBytes() > maxHeldLong {
		d.finish(c.held.timing.next, 0)
	}
	if c.held == nil {
		r.timing.next = r
	} else {
		r.timing.next, c.held.timing.next = c.held.timing.next, r
	}
	c.held = r
	c.holds++
}

// taken reports the held RPCs of a connection whose replies were acknowledged or refused.
func (d *Dissector) taken(c *Connection) {
	var underway [2]bool // a reply to an end is: so are those after it
	r := c.held.timing.next
	for range c.holds {
		next := r.timing.next
		switch {
		case underway[r.Requester]:
		case c.Delivery(r.Reply.Point) == flow.Underway && (r.tries > 0 || c.LastTime-r.Reply.Last < heldFor):
			if underway[r.Requester] = true; underway[r.Requester.Peer()] {
				return
			}
		default:
			d.finish(r, 0)
		}
		r = next
	}
}

// eachHeld calls do for all that are held, which takes them out.
func (c *Connection) eachHeld(do func(r *RPC)) {
	for c.held != nil {
		do(c.held.timing.next)
	}
}

// waitsNoMore takes an RPC out of those that wait for parts or for an acknowledgement.
func (c *Connection) waitsNoMore(r *RPC) {
	if i := slices.Index(c.late, r); i >= 0 {
		c.late = slices.Delete(c.late, i, i+1)
		return
	}
	if r.timing.next == nil || c.held == nil {
		return
	}
	before := c.held
	for before.timing.next != r {
		if before = before.timing.next; before == c.held {
			return // it is a call, in another ring
		}
	}
	if before == r {
		c.held = nil
	} else {
		if c.held == r {
			c.held = before
		}
		before.timing.next = r.timing.next
	}
	r.timing.next = nil
	c.holds--
}

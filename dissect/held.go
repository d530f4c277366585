package dissect

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A reply is an answer when its receiver took it. So an RPC that is all there waits until its
// reply is acknowledged before a Sink is told of it:
//
//	reply          ──> held
//	Acknowledge    ──> told: answered
//	fatal NAK      ──> told: not answered, its reply was refused
//	nothing at all ──> told, after maxHeld others or at the end: answered, unless the reply was
//	                   retransmitted until the connection ended
//
// Replies of one end are acknowledged in the order in which it sent them, so only the oldest
// of each end has to be looked at.

// maxHeld is how many RPCs of a connection wait for the acknowledgement of their replies, for
// each end: more than a usual window of credits. It bounds them where the capture lacks the
// acknowledgements.
const maxHeld = 256

// hold keeps an RPC that is complete until its reply is acknowledged.
func (d *Dissector) hold(r *RPC) {
	c := r.Connection
	if c.Delivery(r.Reply.Point) == flow.Acknowledged || !r.Reply.Point.Numbered {
		d.finish(r, 0)
		return
	}
	held := &c.held[r.Requester]
	if held.N == maxHeld {
		d.finish(held.Oldest(), 0)
	}
	held.Push(&r.waits, r)
}

// taken tells of the held RPCs of a connection whose replies were acknowledged or refused.
func (d *Dissector) taken(c *Connection) {
	for end := range c.held {
		for r := c.held[end].Oldest(); r != nil; r = c.held[end].Oldest() {
			if c.Delivery(r.Reply.Point) == flow.Underway {
				break
			}
			d.finish(r, 0)
		}
	}
}

// eachHeld calls do for all that are held, which takes them out.
func (c *Connection) eachHeld(do func(r *RPC)) {
	for end := range c.held {
		for r := c.held[end].Oldest(); r != nil; r = c.held[end].Oldest() {
			do(r)
		}
	}
}

// waitsNoMore takes an RPC out of those that wait for parts or for an acknowledgement.
func (c *Connection) waitsNoMore(r *RPC) {
	if r.waits.Value != nil {
		c.held[r.Requester].Remove(&r.waits)
	} else if i := slices.Index(c.late, r); i >= 0 {
		c.late = slices.Delete(c.late, i, i+1)
	}
}

package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A qpConn is a connection between two queue pairs.
type qpConn struct {
	requesters [2]*requester // by sending end; nil while unknown
	flow.Conn
	transport       rocev2.Transport
	commID          [2]uint32
	hasComm         [2]bool
	messages        uint32       // CM messages seen, a bit for each kind
	management      []remembered // the last maxManaged of them
	managementCount uint32       // how many came
	left            *evicted     // what is left of it, while it is closed to make room
}

// newConn makes a connection and gives it its number.
func (t *Tracker) newConn(s flow.Setup) *qpConn {
	c := &qpConn{transport: rocev2.TransportRC}
	t.Add(&c.Conn, s, c, t)
	return c
}

func (c *qpConn) TransportService() rocev2.Transport {
	for _, h := range c.requesters {
		if h != nil {
			return h.key.service
		}
	}
	return c.transport
}

// OneWay reports whether the capture lacks a direction: a half of which nothing is known but what
// the setup of the other end says of it was not seen either.
func (c *qpConn) OneWay() bool {
	return c.lacksRequester() || !c.captured(0) || !c.captured(1)
}

// lacksRequester reports whether the half of a direction is not known.
func (c *qpConn) lacksRequester() bool { return c.requesters[0] == nil || c.requesters[1] == nil }

func (c *qpConn) Finish() {
	c.giveUp(true)
	for _, h := range c.requesters {
		if h != nil {
			h.broken("the connection ends in the middle of it")
		}
	}
}

func (c *qpConn) Distance(n, from uint32) int32 { return rocev2.PSNDiff(n, from) }

func (c *qpConn) Delivery(p flow.Point) flow.Delivery {
	h := c.requesters[p.From]
	switch {
	case h == nil:
	case h.denied && p.Has(h.refused):
		return flow.Refused
	case h.anyAck && h.known && rocev2.PSNDiff(h.acked, p.Last) >= 0:
		return flow.Acknowledged
	}
	return flow.Underway
}

// fillHad notes what the sender of the half had acknowledged when it began a message,
// unless the capture has that out of its order.
func (h *requester) fillHad(p *flow.Point) {
	if o := h.peer; o != nil && o.anyAck && !h.belated && !h.conn.Mixed {
		p.Had, p.Acknowledged = o.acked, true
	}
}

// comes notes how the frame came whose events are told next.
func (c *qpConn) comes(note flow.Note) {
	if note == flow.LostOnWire {
		c.Coming = note
	}
}

func (c *qpConn) IWARP() bool { return false }

// Gap reports what a half lacks by itself, and what the responses lack to the READs of the
// other one.
func (c *qpConn) Gap(of flow.End) bool {
	own, other := c.requesters[of&1], c.requesters[of.Peer()&1]
	return own != nil && own.lacks() && own.gaping() || other != nil && other.reads.lacking > 0
}

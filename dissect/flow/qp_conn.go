package flow

import "github.com/rdmacap/rdmacap/rocev2"

// A qpConn is a connection between two queue pairs.
type qpConn struct {
	Conn
	halves          [2]*half // by sending end; nil while unknown
	transport       rocev2.Transport
	commID          [2]uint32
	hasComm         [2]bool
	messages        uint32       // CM messages seen, a bit for each kind
	management      []remembered // the last maxManaged of them
	managementCount int          // how many came
	left            *evicted     // what is left of it, while it is closed to make room
}

// newConn makes a connection and gives it its number.
func (t *queuePairs) newConn(s Setup) *qpConn {
	c := &qpConn{transport: rocev2.TransportRC}
	t.add(&c.Conn, s, c, t)
	return c
}

func (c *qpConn) service() rocev2.Transport {
	for _, h := range c.halves {
		if h != nil {
			return h.key.service
		}
	}
	return c.transport
}

func (c *qpConn) oneWay() bool { return c.halves[0] == nil || c.halves[1] == nil }

func (c *qpConn) finish() {
	c.settle(true)
	for _, h := range c.halves {
		if h != nil {
			h.broken("the connection ends in the middle of it")
		}
	}
}

func (c *qpConn) distance(n, from uint32) int32 { return rocev2.PSNDiff(n, from) }

func (c *qpConn) delivery(p *Point) Delivery {
	h := c.halves[p.From]
	switch {
	case h == nil:
	case h.denied && p.Has(h.refused):
		return Refused
	case h.anyAck && h.known && rocev2.PSNDiff(h.acked, p.Last) >= 0:
		return Acknowledged
	}
	return Underway
}

// fillHad notes what the sender of the half had acknowledged when it began a message,
// unless the capture has that out of its order.
func (h *half) fillHad(p *Point) {
	if o := h.peer; o != nil && o.anyAck && !h.belated && !h.conn.Mixed {
		p.Had, p.Heard = o.acked, true
	}
}

func (c *qpConn) iwarp() bool { return false }

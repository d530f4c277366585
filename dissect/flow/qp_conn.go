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

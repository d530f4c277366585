package metrics

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// Indices of what is counted by role.
const (
	client = iota
	server
)

// A connection is what is known of one that is open, to count only what is new of it.
type connection struct {
	wire    wire       // that the totals have
	credits [2]credits // that the totals have, by requester
	granted [2]uint32  // by the end that may call, 0 before the first grant
	oldest  since
	counted countedFindings

	changed bool // it is among counter.changed
	place   int  // in the list of oldest, from 1; 0 while it is not there
}

// wire counts what happened to frames of connections.
type wire struct {
	retransmissions, lostOnWire, lostInCapture, badCRC, naks, rnrs int64
}

// addWire adds others.
func (w *wire) addWire(o *wire) {
	w.retransmissions += o.retransmissions
	w.lostOnWire += o.lostOnWire
	w.lostInCapture += o.lostInCapture
	w.badCRC += o.badCRC
	w.naks += o.naks
	w.rnrs += o.rnrs
}

// credits are those of the calls of one role.
type credits struct {
	granted, used int64
	// full counts connections whose requester has used up what it was granted.
	full int64
}

// addCredits adds others.
func (c *credits) addCredits(o *credits) {
	c.granted += o.granted
	c.used += o.used
	c.full += o.full
}

// wired adds to the totals what was counted of the connection since it was last asked.
func (s *connection) wired(c *dissect.Connection, total *wire) {
	n := wire{c.Retransmissions, c.LostOnWire, c.LostInCapture, c.BadCRC, c.NAKs, c.RNRs}
	if n == s.wire {
		return
	}
	total.retransmissions += n.retransmissions - s.wire.retransmissions
	total.lostOnWire += n.lostOnWire - s.wire.lostOnWire
	total.lostInCapture += n.lostInCapture - s.wire.lostInCapture
	total.badCRC += n.badCRC - s.wire.badCRC
	total.naks += n.naks - s.wire.naks
	total.rnrs += n.rnrs - s.wire.rnrs
	s.wire = n
}

// granting notes what a message grants.
func (s *connection) granting(m *dissect.Message) {
	if credits, requester, ok := stats.Grant(m); ok {
		s.granted[requester] = credits
	}
}

// fixedHeader is the bytes of the four words that every transport header begins with.
const fixedHeader = 16

// state is how the credits of a connection stand, and its open calls, by requester.
func (s *connection) state(c *dissect.Connection) (now [2]credits, oldest since) {
	for end, granted := range s.granted {
		role := client
		if flow.End(end) != c.ClientEnd {
			role = server
		}
		open, sent := c.Waiting(flow.End(end))
		n := credits{int64(granted), int64(open), 0}
		if n.granted > 0 && n.used >= n.granted {
			n.full = 1
		}
		now[role], oldest[role] = n, sent
	}
	return now, oldest
}

// spend puts how the credits of the connection stand into the totals.
func (s *connection) spend(now [2]credits, total *[2]credits) {
	if now == s.credits {
		return
	}
	for i := range now {
		total[i].granted += now[i].granted - s.credits[i].granted
		total[i].used += now[i].used - s.credits[i].used
		total[i].full += now[i].full - s.credits[i].full
	}
	s.credits = now
}

package cm

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostPairs is how many pairs of hosts are remembered.
const mostPairs = 1024

// A pair is a client and a server, and the service on that.
type pair struct {
	client, server link.Addr
	port           uint16
}

// A past is what is known of the connections of a pair.
type past struct {
	// newest is the connection that told last, nil if it is over; closed says that it
	// came to an end, and ended when its newest frame was.
	newest *rules.ConnRef
	closed bool
	ended  int64
	given
}

// given are the private data of client and server.
type given struct {
	declared [2]*rpcrdma.PrivateData // nil for none of RFC 8797
	captured [2]bool                 // whether the capture has what the end reported
}

// history has the pasts of the pairs of a capture.
type history struct {
	pairs map[pair]*past
	paths paths009 // CM-009
}

// historySlot is where CrossConnection keeps it.
const historySlot = rules.CrossSlot[history](rules.KeepsCM)

func pairOf(c *rules.Conn) pair { return pair{c.Client().Addr, c.Server().Addr, c.Server().Port} }

// of is the past of a connection's hosts, nil if there are too many pairs already.
func (h *history) of(k pair) *past {
	p := h.pairs[k]
	if p == nil && len(h.pairs) < mostPairs {
		if h.pairs == nil {
			h.pairs = make(map[pair]*past)
		}
		p = new(past)
		h.pairs[k] = p
	}
	return p
}

// before are the private data of the last connection of the pair, if it was over
// before another began. Two at a time are no reconnect.
func (p *past) before(began int64) (x given, ok bool) {
	if !p.closed {
		return x, false
	}
	return p.given, p.ended <= began
}

// enter notes what a connection told.
func (p *past) enter(e *rules.ConnRef, x given) {
	p.newest, p.closed, p.given = e, false, x
}

// ends notes that a connection comes to an end, with its newest frame at a time.
func (p *past) ends(e *rules.ConnRef, time int64) {
	if p.newest == e {
		p.closed, p.ended = true, time
	}
}

// leave notes that a connection is over.
func (p *past) leave(e *rules.ConnRef, time int64) {
	if p.ends(e, time); p.newest == e {
		p.newest = nil
	}
}

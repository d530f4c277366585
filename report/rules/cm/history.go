package cm

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
)

// A past is what is known of the connections between two peers.
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

// history has the pasts of all peers of a capture.
type history struct {
	pasts pasts.Table[pasts.Peers, past]
	paths paths009 // CM-009
}

// historySlot is where CrossConnection keeps it.
const historySlot = rules.CrossSlot[history](rules.KeepsCM)

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

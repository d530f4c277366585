package track

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/front"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/dissect/flow/qp"
	"github.com/rdmacap/rdmacap/dissect/flow/tcp"
)

// A Census is what a Tracker keeps, for tests.
type Census struct {
	Halves, Marks, Conns, Setups, Waiting, Closing, Trusted int
	Claims                                                  int // connections that may be
	Evicted                                                 int // keys of what is left of those
	Unpaired                                                int // halves in all its lists
	Queued, Kept, Assembled                                 int // as the tracker counts them
	QueuedFound, KeptFound, AssembledFound                  int // as they are
	MostReads, MostHeld                                     int // of one half
	TCP, TCPMarks, Candidates                               int // TCP connections
	MostPending, MostEarly                                  int // of one direction of one
}

// The limits that a Census is held against.
const (
	MaxConns   = flow.MaxConns
	MaxMarks   = flow.MaxMarks
	MaxSend    = flow.MaxSend
	MaxPieces  = flow.MaxPieces
	MaxReads   = qp.MaxReads
	MaxHeld    = order.MaxHeld
	MaxTrusted = front.MaxTrusted

	MaxCandidates = tcp.MaxCandidates
	MaxOthers     = tcp.MaxOthers
	MaxPending    = tcp.MaxPending
	MaxEarly      = tcp.MaxEarlyResponses
)

// Census counts what the tracker keeps.
func (t *Tracker) Census() Census {
	q, x := t.queuePairs.Census(), t.tcp.Census()
	open, closing := t.connections.Number()
	return Census{
		Claims: t.connections.Claims(),
		Halves: q.Requesters, Marks: q.Marks, Conns: open, Setups: q.Setups, Waiting: q.Waiting, Closing: closing,
		Evicted: q.Evicted, Unpaired: q.Unpaired,
		Queued: q.Queued, Kept: t.connections.Kept, Assembled: t.connections.Assembled,
		QueuedFound: q.QueuedFound, KeptFound: q.KeptFound + x.KeptFound, AssembledFound: q.AssembledFound + x.AssembledFound,
		MostReads: q.MostReads, MostHeld: q.MostHeld,
		TCP: x.Connections, TCPMarks: x.Marks, Candidates: x.Candidates, MostPending: x.MostPending, MostEarly: x.MostEarly,
	}
}

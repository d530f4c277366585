package html

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/series"
)

// states are what is kept of connections until they are over.
type states struct {
	of         map[*dissect.Connection]*connState
	newest     *connState // that of newestConn
	newestConn *dissect.Connection
	nowhere    connState                        // of frames without a connection, or whose connection is over
	gone       map[*dissect.Connection]struct{} // that ended in the frame in hand: at the end of the capture all
}

// A connState is what is kept of a connection.
type connState struct {
	ladder.Thread
	sampled
	frames int64
	series *series.Series
	// uncounted says that there were too many to have a series of it.
	uncounted bool
}

func newStates() states {
	return states{of: make(map[*dissect.Connection]*connState), gone: make(map[*dissect.Connection]struct{})}
}

// at is the state of a connection, which may be nil.
func (x *states) at(c *dissect.Connection) *connState {
	if c == nil || x.isGone(c) {
		x.nowhere = connState{uncounted: true}
		return &x.nowhere
	}
	if x.newest != nil && x.newestConn == c {
		return x.newest
	}
	s := x.of[c]
	if s == nil {
		s = new(connState)
		x.of[c] = s
	}
	x.newest, x.newestConn = s, c
	return s
}

// forget drops the state of a connection that is over.
func (x *states) forget(c *dissect.Connection) {
	delete(x.of, c)
	x.newest, x.newestConn = nil, nil
	x.gone[c] = struct{}{}
}

// next says that another frame is in hand.
func (x *states) next() {
	if len(x.gone) > 0 {
		clear(x.gone)
	}
}

func (x *states) isGone(c *dissect.Connection) bool {
	if len(x.gone) == 0 {
		return false
	}
	_, gone := x.gone[c]
	return gone
}

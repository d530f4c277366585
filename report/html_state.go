package report

import "github.com/rdmacap/rdmacap/dissect"

// A connState is what is kept of a connection until it is over.
type connState struct {
	last    uint64 // number of its last step on the trail
	frames  int64
	sampled int // RPCs whose evidence was kept because they were the first
	series  *series
	// uncounted says that there were too many to have a series of it.
	uncounted bool
}

// stateOf is the state of a connection, which may be nil.
func (h *HTML) stateOf(c *dissect.Connection) *connState {
	if c == nil {
		return &h.nowhere
	}
	if h.newest != nil && h.newestConn == c {
		return h.newest
	}
	s := h.states[c]
	if s == nil {
		s = new(connState)
		h.states[c] = s
	}
	h.newest, h.newestConn = s, c
	return s
}

// forget drops the state of a connection that is over.
func (h *HTML) forget(c *dissect.Connection) {
	delete(h.states, c)
	h.newest, h.newestConn = nil, nil
}

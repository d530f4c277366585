package report

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
)

// A connState is what is kept of a connection until it is over.
type connState struct {
	last    uint64 // number of its last step on the trail
	head    []step // its first steps: what is about the connection is shown by them
	frames  int64
	sampled int  // RPCs whose evidence was kept because they were the first
	few     bool // there were many connections before: fewer are kept
	series  *series
	// uncounted says that there were too many to have a series of it.
	uncounted bool
}

// stateOf is the state of a connection, which may be nil.
func (h *HTML) stateOf(c *dissect.Connection) *connState {
	if c == nil || len(h.gone) > 0 && slices.Contains(h.gone, c) {
		h.nowhere = connState{uncounted: true}
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
	h.gone = append(h.gone, c)
}

const (
	// headSteps is how many steps of a connection are kept until it is over, with so
	// many octets of each frame.
	headSteps, headOctets = 8, 512
)

// keepHead keeps the first steps of a connection; last is the number of the one that
// was the last before the frame in hand.
func (h *HTML) keepHead(c *connState, last uint64) {
	if len(c.head) >= headSteps {
		return
	}
	first := max(last+1, c.last-min(c.last, headSteps)+1)
	for n := first; n <= c.last && len(c.head) < headSteps; n++ {
		s := h.trail.get(n)
		if s == nil || s.conn == 0 {
			continue
		}
		x := *s
		data := h.trail.data(s)
		x.own = append([]byte{}, data[:min(len(data), headOctets)]...)
		c.head = append(c.head, x)
	}
}

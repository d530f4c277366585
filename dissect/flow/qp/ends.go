package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// mark is what is left of a half connection that has ended, so that a late
// frame is not taken for a new one.
type mark struct {
	next  uint32 // the PSN that it would have gone on with, if known
	known bool
}

// Forget lets a closed connection go.
func (t *Tracker) Forget(closed *flow.Conn) {
	c := closed.Carrier().(*qpConn)
	for e, has := range c.hasComm {
		if k := (commKey{c.Ends[e].Addr, c.commID[e]}); has && t.setups[k] == c {
			delete(t.setups, k)
		}
	}
	for _, h := range c.requesters {
		if h != nil {
			t.forgetRequester(h)
		}
	}
	if c.Ousted && c.lacksRequester() {
		// There may be many more of them before anybody is told: what is only of use to
		// follow the connection is given back now.
		c.transport = c.TransportService()
		c.requesters, c.management = [2]*requester{}, nil
	}
	t.last = [2]*requester{}
	t.leave(c.left)
}

// forgetRequester lets a half connection go. One that ended leaves a mark; one that was
// only unused for long may go on, and is then a connection found anew.
func (t *Tracker) forgetRequester(h *requester) {
	t.paired(h)
	h.forgetEarly()
	h.forgetHeld()
	t.DropBuffer(h.message)
	const few = 8
	if first := h.recent.first; cap(first) >= maxFirst && len(t.spare) < few {
		t.spare = append(t.spare, first[:0])
		h.recent = recent{}
	}
	if t.requesters[h.key] != h {
		return
	}
	delete(t.requesters, h.key)
	if h.conn.Closing != flow.Open {
		if len(t.marks) >= flow.MaxMarks {
			clear(t.marks)
		}
		t.marks[h.key] = mark{h.next, h.known}
	}
}

// emptyRequester returns a half connection of which nothing is known, and which is in no map.
func (t *Tracker) emptyRequester(k key) *requester {
	h := &requester{shared: t.Shared, key: k}
	if n := len(t.spare); n > 0 {
		h.recent.first, t.spare = t.spare[n-1], t.spare[:n-1]
	}
	return h
}

// classifyUnknown judges a packet of no half connection that is known: Stale if it
// comes late, Corrupt if its queue pair number may be wrong, InOrder if a new
// half connection begins with it.
func (t *Tracker) classifyUnknown(k *key, p *flow.Frame) flow.Note {
	if t.damaged {
		return flow.Corrupt
	}
	if len(t.marks) == 0 {
		return flow.InOrder
	}
	if m, ended := t.marks[*k]; ended {
		if !m.beginsAnew(p) {
			return flow.Stale
		}
		delete(t.marks, *k)
	}
	return flow.InOrder
}

// beginsAnew reports whether a packet that names an ended half connection begins a
// new one: a request whose PSN the old one could not have.
func (m mark) beginsAnew(p *flow.Frame) bool {
	d := rocev2.PSNDiff(p.IB.PSN, m.next)
	return p.IB.OpCode.IsRequest() && (!m.known || d < -maxPSNJump || d > 64)
}

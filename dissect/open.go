package dissect

import (
	"slices"
	"unsafe"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// The unanswered calls of all connections stand in one list by age, so that
// what they weigh together has a limit: a capture of one direction has no
// replies at all.

// push adds a call to the open ones, as the youngest.
func (d *Dissector) push(r *RPC) {
	c, s := r.Connection, &d.openRPCs
	r.since = d.since(r)
	c.open[r.Requester].pushSure(r)
	r.weight, r.epoch, r.came = weigh(r), s.epoch, d.tracker.At().Ordinal
	s.weights.addWeight(r.epoch, s.epoch, r.weight)
	d.open.Push(&r.open, r)
}

// remove takes a call from the open ones.
func (d *Dissector) remove(r *RPC) {
	delete(r.Connection.calls, callKey{r.XID, r.Requester})
	r.Connection.unlink(r)
	r.Connection.open[r.Requester].remove(r)
	d.openRPCs.weights.addWeight(r.epoch, d.openRPCs.epoch, -r.weight)
	d.open.Remove(&r.open)
}

// weigh estimates the memory of an open call in bytes: itself, its segments in
// header and ledger, its kept bytes and where they lie.
func weigh(r *RPC) int {
	const (
		entry   = 48 // of the ledger's map, about
		segment = int(unsafe.Sizeof(rpcrdma.Region{})+unsafe.Sizeof(rpcrdma.ReadSegment{})) + entry
		frame   = int(unsafe.Sizeof(flow.Ref{}))
		piece   = int(unsafe.Sizeof(flow.Piece{}))
	)
	m := r.Call
	// A reply will come.
	return int(unsafe.Sizeof(*r)+2*unsafe.Sizeof(*m)) + len(r.Offer.Regions)*segment + cap(m.Bytes) + cap(m.rest) + cap(m.Frames)*frame + cap(m.pieces)*piece
}

// shrink gives back the memory that a message took and few others need, before it
// waits to be used again.
func (m *Message) shrink() {
	const size, frames, pieces, segments = 8 << 10, 64, 64, 64
	if cap(m.Bytes) > size {
		m.Bytes = nil
	}
	if cap(m.rest) > size {
		m.rest = nil
	}
	if cap(m.Frames) > frames {
		m.Frames = nil
	}
	if cap(m.pieces) > pieces {
		m.pieces = nil
	}
	if h := &m.Header; cap(h.Reads) > segments || cap(h.Segments) > segments || cap(h.Writes) > segments {
		h.Reads, h.Segments, h.Writes = nil, nil, nil
	}
}

// unanswered returns the open calls of a connection, oldest first.
func (c *Connection) unanswered() []*RPC {
	list := make([]*RPC, 0, len(c.calls))
	for _, r := range c.calls {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *RPC) int { return a.Call.Frames[0].Compare(b.Call.Frames[0]) })
	return list
}

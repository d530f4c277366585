// Package memory keeps book of the memory that the calls of a connection
// advertised: which segment is live, until when another was, and what an RDMA
// operation may therefore do. The rules about chunks, invalidation and exposure
// share one Book a connection, and one Judge, which tells of the operations that
// nothing allows once no call that is late or missing can excuse them.
//
//	Call ──advertises──> Grant, live ──Reply, RDMA_ERROR, Send With Invalidate──> Grant, over
//	                         ^                                                        ^
//	RDMA Read, RDMA Write ───┴── Book.Find: fits, other range, wrong direction, too late, never
//	                                       └── Judge ──waits for the owner──> Offence
package memory

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

const (
	// mostOver is how many grants that are over are remembered on a connection.
	mostOver = 4096
	// mostSame is how many grants of one handle are remembered.
	mostSame = 16
)

// A Book has the grants of one connection. The zero Book is empty.
type Book struct {
	newest map[uint32]*Grant
	over   []*Grant // a ring, the oldest at first
	first  int
	free   []*Grant
	fresh  []Grant // of which none was in use so far
	// Grants counts all that were entered.
	Grants int64
}

// Of is the Book of a connection, for rules that need Knowledge.
func Of(c *rules.Conn) *Book { return rules.Kept[Book](c, rules.KeepsMemory) }

// Knowledge enters what the connection's calls advertise.
func Knowledge() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsMemory, On: []rules.Event{
		rules.OnMessage(rules.WithChunks|rules.ToChunks|rules.Invalidating, func(c *rules.Conn, m *dissect.Message, _ rules.Say) { Of(c).message(m) }),
		rules.OnRPC(rules.WithChunks, func(c *rules.Conn, r *dissect.RPC, _ rules.Say) { Of(c).ended(r) }),
	}}
}

// Newest is the grant that was entered last for a handle, nil if none is known.
func (b *Book) Newest(handle uint32) *Grant { return b.newest[handle] }

func (b *Book) message(m *dissect.Message) {
	r := m.RPC()
	switch {
	case r == nil:
	case r.Call == m:
		b.enter(r, m)
	case r.Reply == m:
		b.end(r, answer(m), m.Frame(), m.Last, false)
	}
	if m.HasInvalidated {
		for g := b.newest[m.Invalidated]; g != nil; g = g.Older {
			if g.Over == Live || g.By == m.Frame() && g.Over == Replied {
				b.retire(g, Invalidated, m.Frame(), m.Last)
			}
		}
	}
}

func (b *Book) ended(r *dissect.RPC) {
	if r.Call == nil {
		return
	}
	if m := r.Reply; m != nil { // if that was told before the call
		b.end(r, answer(m), m.Frame(), m.Last, true)
		return
	}
	b.end(r, Forgotten, r.Call.Frame(), r.Call.Last, true)
}

// answer is how a message that answers a call ends what that advertised.
func answer(m *dissect.Message) Ending {
	if m.Header.Proc == rpcrdma.RDMAError {
		return Failed
	}
	return Replied
}

// enter takes what a call advertises.
func (b *Book) enter(r *dissect.RPC, m *dissect.Message) {
	h := &m.Header
	g := Grant{XID: r.XID, Owner: r.Requester, Call: m.Frame(), Since: m.Last, RPC: r}
	for i := range h.Reads {
		g.Segment, g.Purpose, g.Position = h.Reads[i].Segment, rpcrdma.ForRead, h.Reads[i].Position
		b.add(g)
	}
	g.Position = 0
	for i, c := range h.Writes {
		for _, s := range h.ChunkSegments(c) {
			g.Segment, g.Purpose, g.Chunk = s, rpcrdma.ForWrite, i
			b.add(g)
		}
	}
	if h.HasReply {
		for _, s := range h.ChunkSegments(h.Reply) {
			g.Segment, g.Purpose, g.Chunk = s, rpcrdma.ForReply, 0
			b.add(g)
		}
	}
}

func (b *Book) add(g Grant) {
	b.Grants++
	n := b.take()
	*n = g
	if b.newest == nil {
		const some = 32 // handles: most clients use more at once than a few
		b.newest = make(map[uint32]*Grant, some)
	}
	n.Older = b.newest[g.Handle]
	b.newest[g.Handle] = n
	// Cut a chain that a persistent handle makes; what is cut off stays in the
	// ring until it falls out there.
	for i, x := 1, n; x != nil; i, x = i+1, x.Older {
		if cut := x.Older; i == mostSame && cut != nil {
			x.more = cut.more || cut.Over == Live
			x.Older = nil
		}
	}
}

// end ends the grants of an RPC that are live. If it is over it serves another call
// from now on.
func (b *Book) end(r *dissect.RPC, how Ending, by flow.Ref, until int64, over bool) {
	if r.Call == nil {
		return
	}
	h := &r.Call.Header
	for i := range h.Reads {
		b.endHandle(r, h.Reads[i].Handle, how, by, until, over)
	}
	for i := range h.Segments {
		b.endHandle(r, h.Segments[i].Handle, how, by, until, over)
	}
}

func (b *Book) endHandle(r *dissect.RPC, handle uint32, how Ending, by flow.Ref, until int64, over bool) {
	for g := b.newest[handle]; g != nil; g = g.Older {
		if g.RPC != r {
			continue
		}
		if g.Over == Live {
			b.retire(g, how, by, until)
		}
		if over {
			g.RPC = nil
		}
	}
}

// retire ends a grant; one that has ended gets another reason.
func (b *Book) retire(g *Grant, how Ending, by flow.Ref, until int64) {
	again := g.Over != Live
	g.Over, g.By, g.Until = how, by, until
	if again {
		return
	}
	if len(b.over) < mostOver {
		b.over = append(b.over, g)
		return
	}
	b.forget(b.over[b.first])
	b.over[b.first] = g
	b.first = (b.first + 1) % mostOver
}

// forget takes a grant out of the chain of its handle.
func (b *Book) forget(old *Grant) {
	if b.newest[old.Handle] == old {
		if old.Older != nil {
			b.newest[old.Handle] = old.Older
		} else {
			delete(b.newest, old.Handle)
		}
	} else {
		for g := b.newest[old.Handle]; g != nil; g = g.Older {
			if g.Older == old {
				g.Older = old.Older
				break
			}
		}
	}
	b.free = append(b.free, old)
}

func (b *Book) take() *Grant {
	if n := len(b.free); n > 0 {
		g := b.free[n-1]
		b.free = b.free[:n-1]
		return g
	}
	const page = 8
	if len(b.fresh) == 0 {
		b.fresh = make([]Grant, page)
	}
	g := &b.fresh[0]
	b.fresh = b.fresh[1:]
	return g
}

package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A placement is the Write chunk or Reply chunk of a call and what became of it.
type placement struct {
	purpose rpcrdma.Purpose
	index   int // of the chunk among those of its purpose
	regions []rpcrdma.Region
	// returned are its segments in the reply, nil if they are not those that were
	// offered.
	returned []rpcrdma.Segment
	first    int // of returned in the reply's Header.Segments
}

// fillings calls do for each chunk of an RPC that was to be written to, until it
// says that it has seen enough.
func fillings(r *dissect.RPC, do func(x placement) (enough bool)) {
	list := r.Offer.Regions
	for i := 0; i < len(list); {
		g := &list[i]
		end := i + 1
		for end < len(list) && list[end].Purpose == g.Purpose && list[end].Chunk == g.Chunk {
			end++
		}
		if g.Purpose != rpcrdma.ForRead {
			x := placement{purpose: g.Purpose, index: g.Chunk, regions: list[i:end]}
			x.match(&r.Reply.Header)
			if do(x) {
				return
			}
		}
		i = end
	}
}

// match finds the chunk in a reply: with the same segments, none of them longer
// than it was.
func (x *placement) match(h *rpcrdma.Header) {
	var c rpcrdma.Chunk
	switch {
	case x.purpose == rpcrdma.ForReply && h.HasReply:
		c = h.Reply
	case x.purpose == rpcrdma.ForWrite && x.index < len(h.Writes):
		c = h.Writes[x.index]
	default:
		return
	}
	segments := h.ChunkSegments(c)
	if len(segments) != len(x.regions) {
		return
	}
	for i, s := range segments {
		if g := &x.regions[i]; s.Handle != g.Handle || s.Offset != g.Offset || s.Length > g.Length {
			return
		}
	}
	x.returned, x.first = segments, c.First
}

// answered reports whether an RPC's call and reply are there to be compared.
func answered(c *rules.Conn, r *dissect.RPC) bool {
	return c.Sound(r.Call) && c.Sound(r.Reply) && r.Reply.Header.Proc != rpcrdma.RDMAError
}

// name is what the chunk is called, for a person.
func (x *placement) name() string {
	if x.purpose == rpcrdma.ForReply {
		return "the Reply chunk"
	}
	return rpcrdma.WriteChunkName(x.index)
}

// markOffered marks the segments of the chunk in the call that offered it, from
// one on.
func (x *placement) markOffered(f *rules.Finding, m *dissect.Message, segment int) {
	h := &m.Header
	c := h.Reply
	if x.purpose == rpcrdma.ForWrite {
		c = h.Writes[x.index]
	}
	f.In(m, h.SegmentAt(c.First+segment), rpcrdma.SegmentSize)
}

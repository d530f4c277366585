package exhibit

import (
	"fmt"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
)

// chunks is the account of the memory that the call advertised: each
// segment, the bytes of it that RDMA operations moved, and, where the
// responder wrote, what its reply says that it wrote. It has no bytes of its
// own.
func chunks(r *dissect.RPC, m *Moves) Exhibit {
	e := Exhibit{title: titled("Chunks that the call advertised, and what RDMA Reads and Writes moved")}
	regions := r.Offer.Regions
	for len(regions) > 0 {
		n := 1
		for n < len(regions) && sameChunk(&regions[n], &regions[0]) {
			n++
		}
		e.Nodes = append(e.Nodes, chunkNode(r, regions[:n], m))
		regions = regions[n:]
	}
	return e
}

func sameChunk(a, b *rpcrdma.Region) bool { return a.Purpose == b.Purpose && a.Chunk == b.Chunk }

// chunkNode is one chunk and its segments.
func chunkNode(r *dissect.RPC, regions []rpcrdma.Region, moves *Moves) field.Node {
	first := &regions[0]
	n := field.Node{Name: first.ChunkName()}
	segments, answered := returned(r, first)
	var length, moved uint64
	for i := range regions {
		s := &regions[i]
		length += uint64(s.Length)
		moved += s.Seen.Len()
		value := fmt.Sprintf("handle 0x%08x, offset 0x%016x, length %d: %s", s.Handle, s.Offset, s.Length, movement(s, moves))
		if answered && i < len(segments) {
			value += ", the reply returns length " + strconv.FormatUint(uint64(segments[i].Length), 10)
		}
		if m := r.Reply; m != nil && m.HasInvalidated && m.Invalidated == s.Handle {
			value += ", invalidated by the reply"
		}
		n.Children = append(n.Children, field.Node{Name: "segment " + strconv.Itoa(i+1), Value: value})
	}
	n.Value = fmt.Sprintf("%s, %s %s", field.ByteCount(length), field.ByteCount(moved), verb(first.Purpose))
	return n
}

// returned are the segments of the reply that answer those of the chunk;
// answered is false where the reply cannot say.
func returned(r *dissect.RPC, first *rpcrdma.Region) (segments []rpcrdma.Segment, answered bool) {
	if r.Reply == nil || !r.Reply.Whole || first.Purpose == rpcrdma.ForRead {
		return nil, false
	}
	h := &r.Reply.Header
	switch {
	case first.Purpose == rpcrdma.ForReply && h.HasReply:
		return h.ChunkSegments(h.Reply), true
	case first.Purpose == rpcrdma.ForWrite && first.Chunk < len(h.Writes):
		return h.ChunkSegments(h.Writes[first.Chunk]), true
	}
	return nil, false
}

// movement says how much of a segment was moved, by which operations, and, of one to be read, how
// much was requested if that is not the same.
func movement(s *rpcrdma.Region, m *Moves) string {
	moved := s.Seen.Len()
	text := field.ByteCount(moved) + " " + verb(s.Purpose)
	if moved == uint64(s.Length) && moved > 0 {
		text = "all " + verb(s.Purpose)
	}
	text += m.text(s)
	if asked := s.Asked.Len(); s.Purpose == rpcrdma.ForRead && asked != moved {
		text += ", " + field.ByteCount(asked) + " requested"
	}
	return text
}

func verb(p rpcrdma.Purpose) string {
	if p == rpcrdma.ForRead {
		return "read"
	}
	return "written"
}

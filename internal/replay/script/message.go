package script

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Message is one Send of RPC-over-RDMA.
type Message struct {
	// Order counts Messages and Operations together, in the order of the capture.
	Order int
	// Frame is the last frame that carried it, Time when that was captured, in nanoseconds
	// since 1970.
	Frame    flow.Ref
	Time     int64
	ToServer bool
	// Bytes are those of the Send as far as they were captured, Length how many it had;
	// Missing says why they are not all there, "" if they are.
	Bytes   []byte
	Length  int
	Missing string
	// Header is the transport header of Bytes, with the place of each of its fields.
	Header rpcrdma.Header
	// Role is what the message is in an RPC, and Call the one that it makes or answers, nil
	// if it is in none.
	Role dissect.Role
	Call *Call
	// Invalidated is the handle of a Send With Invalidate, if HasInvalidated.
	Invalidated    uint32
	HasInvalidated bool

	from flow.End
}

// Inline are the bytes after the transport header: the RPC message, or what chunks left
// of it.
func (m *Message) Inline() []byte { return m.Bytes[min(m.Header.Length, len(m.Bytes)):] }

// segments are those of the header, in its order.
func (m *Message) segments() (list []Segment) {
	h := &m.Header
	positions := make(map[uint32]int)
	for i := range h.NumReadChunks() {
		position, _ := h.ReadChunk(i)
		positions[position] = i
	}
	starts := make(map[int]uint64)
	for i, r := range h.Reads {
		chunk := positions[r.Position]
		list = append(list, Segment{
			Segment: r.Segment, Purpose: rpcrdma.ForRead, Chunk: chunk, Position: r.Position,
			Start: starts[chunk], At: h.ReadSegmentAt(i),
		})
		starts[chunk] += uint64(r.Length)
	}
	add := func(p rpcrdma.Purpose, chunk int, c rpcrdma.Chunk) {
		start := uint64(0)
		for i := c.First; i < c.First+c.Count; i++ {
			list = append(list, Segment{Segment: h.Segments[i], Purpose: p, Chunk: chunk, Start: start, At: h.SegmentAt(i)})
			start += uint64(h.Segments[i].Length)
		}
	}
	for i, c := range h.Writes {
		add(rpcrdma.ForWrite, i, c)
	}
	if h.HasReply {
		add(rpcrdma.ForReply, 0, h.Reply)
	}
	return list
}

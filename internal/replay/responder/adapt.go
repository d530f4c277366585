package responder

import (
	"context"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// An eligible is an item of a result that may travel in a Write chunk: where its data stand
// in the bytes, or would stand.
type eligible struct {
	at, length int
	chunk      int // that it travelled in, -1 if it was inline
}

// eligibles are the items of a captured reply, in their order.
func (m *matcher) eligibles(e *entry, result []byte) (list []eligible) {
	var header rpc.Reply
	header.Decode(result)
	if header.Fault.Bad() || header.Denied || header.Accept != rpc.Success {
		return nil
	}
	for _, p := range m.plans {
		proc := p.Spec.Procedure(e.header.Program, e.header.Version, e.header.Procedure)
		if proc == nil {
			continue
		}
		m.walker.Most = mostEvents
		m.walker.Walk(p.Result(proc), result[header.Length:], walk.Reduction{Start: uint32(header.Length), Writes: returned(&e.call.Reply.Header)})
		for i := range m.walker.Events {
			if x := &m.walker.Events[i]; x.Kind == walk.Item && (x.Eligible || x.Chunk >= 0) {
				list = append(list, eligible{header.Length + int(x.Offset), int(x.Length), int(x.Chunk)})
			}
		}
		break
	}
	return list
}

// adapt conveys a captured result in the chunks that a live call offers.
func (s *session) adapt(ctx context.Context, e *entry, in *incoming, result []byte) error {
	h := &in.header
	s.mu.Lock()
	items := s.matcher.eligibles(e, result)
	s.mu.Unlock()
	var payload []byte // what no Write chunk takes
	at := 0
	back := rpcrdma.Header{XID: h.XID, Writes: h.Writes, HasReply: h.HasReply, Reply: h.Reply, Segments: append([]rpcrdma.Segment(nil), h.Segments...)}
	for i := range back.Segments {
		back.Segments[i].Length = 0
	}
	for k, x := range items {
		data := result[min(x.at, len(result)):min(x.at+x.length, len(result))]
		behind := x.at + padded(x.length)
		if x.chunk >= 0 {
			data, _ = e.call.Returned(rpcrdma.ForWrite, x.chunk)
			data = data[:min(x.length, len(data))]
			behind = x.at
		}
		payload = append(payload, result[at:min(x.at, len(result))]...)
		at = min(behind, len(result))
		if k < len(h.Writes) && len(data) > 0 && h.ChunkLength(h.Writes[k]) > 0 {
			if !s.place(ctx, &back, h, h.Writes[k], data) {
				return s.noRoom(ctx, e, in)
			}
			if err := s.fill(ctx, h, &back, h.Writes[k], data); err != nil {
				return err
			}
			continue
		}
		payload = append(payload, data...)
		payload = append(payload, make([]byte, padded(len(data))-len(data))...)
	}
	payload = append(payload, result[at:]...)
	credits := e.call.Reply.Header.Credits
	message := append(header(&back, credits, rpcrdma.RDMAMsg), payload...)
	live := segments(h)
	if len(message) <= s.inline {
		return s.send(ctx, message, s.invalidation(e, live))
	}
	if !h.HasReply || !s.place(ctx, &back, h, h.Reply, payload) {
		return s.noRoom(ctx, e, in)
	}
	if err := s.fill(ctx, h, &back, h.Reply, payload); err != nil {
		return err
	}
	return s.send(ctx, header(&back, credits, rpcrdma.RDMANoMsg), s.invalidation(e, live))
}

// noRoom is the answer where the client offers too little for a captured result.
func (s *session) noRoom(ctx context.Context, e *entry, in *incoming) error {
	s.count(func(r *Report) { r.NoRoom++ })
	s.note("%s: the client's chunks are too small for the captured result: ERR_CHUNK", e.name)
	return s.send(ctx, errorReply(in.header.XID, rpcrdma.Version1, e.call.Reply.Header.Credits, rpcrdma.ErrChunk), nil)
}

// place notes in the header of a reply how much of each segment of a chunk data fill, and
// reports whether they fit.
func (s *session) place(_ context.Context, back, h *rpcrdma.Header, c rpcrdma.Chunk, data []byte) bool {
	if uint64(len(data)) > h.ChunkLength(c) {
		return false
	}
	left := len(data)
	for i := c.First; i < c.First+c.Count; i++ {
		n := min(left, int(h.Segments[i].Length))
		back.Segments[i].Length = uint32(n)
		left -= n
	}
	return true
}

// fill writes data into the segments of a chunk, as far as place has said.
func (s *session) fill(ctx context.Context, h, back *rpcrdma.Header, c rpcrdma.Chunk, data []byte) error {
	for i := c.First; i < c.First+c.Count && len(data) > 0; i++ {
		n := int(back.Segments[i].Length)
		if err := s.write(ctx, data[:n], transport.Remote{Handle: h.Segments[i].Handle, Offset: h.Segments[i].Offset}); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

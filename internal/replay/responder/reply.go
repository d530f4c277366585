package responder

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// reply sends the captured reply to a live call. That to a lone SEQUENCE is kept.
func (s *session) reply(ctx context.Context, e *entry, in *incoming, renewing *renewal) error {
	bytes, largest := e.costs()
	if largest > uint64(s.options.MaxRegistered) || !s.reserve(int64(bytes)) {
		return s.over(ctx, in, fmt.Sprintf("its reply needs %d bytes of memory, %d of them registered, more than a limit allows (--memory, --max-registered)", bytes, largest))
	}
	defer s.give(int64(bytes))
	was := e.call.Reply
	result, made := e.call.Result()
	s.count(func(r *Report) { r.MadeUp += int64(made) })
	result = s.rewritten(e, in, result)
	if was.Header.Proc != rpcrdma.RDMAError {
		s.keep(renewing, result)
	}
	switch {
	case was.Header.Proc == rpcrdma.RDMAError, was.Header.Fault.Bad(), sameRoom(&e.call.Request.Header, &in.header):
		return s.literal(ctx, e, in, result)
	}
	s.count(func(r *Report) { r.Adapted++ })
	return s.adapt(ctx, e, in, result)
}

// rewritten is a captured RPC reply with what of it the live client chose: XID, slots and
// sequence numbers of sessions.
func (s *session) rewritten(e *entry, in *incoming, result []byte) []byte {
	h := &e.header
	captured := bind.Message{Bytes: e.bytes, Program: h.Program, Version: h.Version, Procedure: h.Procedure, Reads: e.reads}
	live := captured
	live.Bytes, live.Reads = in.bytes, in.reads
	was := bind.Message{Bytes: result, Writes: returned(&e.call.Reply.Header)}
	if r, err := s.binder.Answer(captured, was, live); err == nil {
		result = r.Bytes
	} else {
		if !errors.Is(err, bind.ErrNoResult) {
			s.note("%s: %v", e.name, err)
		}
		result = slices.Clone(result)
	}
	wire.SetXID(result, e.call.XID, in.header.XID)
	return result
}

// returned are the lengths of the Write chunks that a reply returns.
func returned(h *rpcrdma.Header) (list []uint32) {
	for _, c := range h.Writes {
		list = append(list, uint32(h.ChunkLength(c)))
	}
	return list
}

// sameRoom reports whether two calls offer the same Write and Reply chunks.
func sameRoom(a, b *rpcrdma.Header) bool {
	if len(a.Writes) != len(b.Writes) || a.HasReply != b.HasReply || len(a.Segments) != len(b.Segments) {
		return false
	}
	for i := range a.Writes {
		if a.Writes[i].Count != b.Writes[i].Count {
			return false
		}
	}
	for i := range a.Segments {
		if a.Segments[i].Length != b.Segments[i].Length {
			return false
		}
	}
	return true
}

// literal sends the reply as it was captured, but for XID, handles and offsets, and with the
// result given.
func (s *session) literal(ctx context.Context, e *entry, in *incoming, result []byte) error {
	live := segments(&in.header)
	for _, o := range e.operations {
		to, data := s.target(e, live, o, result)
		if err := s.write(ctx, data, to); err != nil {
			return err
		}
	}
	was := e.call.Reply
	h := &was.Header
	rewrite := wire.Rewrite{XID: in.header.XID, KeepCredits: true}
	if h.XID != e.call.XID {
		rewrite.XID = h.XID // which is at fault
	}
	if h.Proc == rpcrdma.RDMAMsg {
		rewrite.RPC = result
	}
	for i, g := range segments(h) {
		rewrite.Segments = append(rewrite.Segments, s.segment(e, live, i-len(h.Reads), g))
	}
	message := rewrite.Append(nil, was)
	if len(message) > s.sendSize {
		s.note("%s: a reply of %d bytes is longer than this side can send", e.name, len(message))
		message = message[:s.sendSize]
	}
	return s.send(ctx, message, s.invalidation(e, live))
}

// segment is the live one for a segment of the captured reply, the n-th of its Write list and
// Reply chunk: that of the call with the same handle, where the captured one began as far
// after the call's.
func (s *session) segment(e *entry, live []rpcrdma.Segment, n int, was rpcrdma.Segment) rpcrdma.Segment {
	n += len(e.call.Request.Header.Reads)
	of := -1
	for i := range e.call.Segments {
		if e.call.Segments[i].Handle == was.Handle && (of < 0 || i == n) {
			of = i
		}
	}
	if of < 0 || of >= len(live) {
		if known, is := s.handles[was.Handle]; is {
			was.Handle = known.Handle
		}
		return was
	}
	return rpcrdma.Segment{Handle: live[of].Handle, Length: was.Length, Offset: live[of].Offset + was.Offset - e.call.Segments[of].Offset}
}

// target is where a captured RDMA Write goes to, and what it writes.
func (s *session) target(e *entry, live []rpcrdma.Segment, o *script.Operation, result []byte) (transport.Remote, []byte) {
	data := make([]byte, min(o.Length, mostPulled))
	of := -1
	for i := range e.call.Segments {
		g := &e.call.Segments[i]
		within := o.Offset >= g.Offset && o.Offset < g.Offset+uint64(g.Length)
		if g.Handle == o.Handle && (of < 0 || within) {
			if of = i; within {
				break
			}
		}
	}
	if of < 0 || of >= len(live) {
		to := transport.Remote{Handle: o.Handle, Offset: o.Offset}
		if known, is := s.handles[o.Handle]; is {
			to.Handle = known.Handle
		}
		return to, data
	}
	g := &e.call.Segments[of]
	at := o.Offset - g.Offset
	from := g.Data
	if g.Purpose == rpcrdma.ForReply && e.call.Reply.Header.Proc == rpcrdma.RDMANoMsg {
		from = result[min(int(g.Start), len(result)):]
	}
	if at < uint64(len(from)) {
		copy(data, from[at:])
	}
	return transport.Remote{Handle: live[of].Handle, Offset: live[of].Offset + at}, data
}

// invalidation is the live handle that the reply invalidates, nil if it invalidates none, or
// the client does not have it.
func (s *session) invalidation(e *entry, live []rpcrdma.Segment) *uint32 {
	was := e.call.Reply
	if !was.HasInvalidated {
		return nil
	}
	if !s.invalidates {
		s.count(func(r *Report) { r.NotInvalidated++ })
		return nil
	}
	handle := was.Invalidated
	if known, is := s.handles[handle]; is {
		handle = known.Handle
	}
	for i := range e.call.Segments {
		if e.call.Segments[i].Handle == was.Invalidated && i < len(live) {
			handle = live[i].Handle
			break
		}
	}
	s.count(func(r *Report) { r.Invalidated++ })
	return &handle
}

// write writes data to memory of the client. The memory is given back when it is written,
// before the reply is sent.
func (s *session) write(ctx context.Context, data []byte, to transport.Remote) error {
	if len(data) == 0 {
		return nil
	}
	memory, err := s.conn.Register(len(data), transport.Registration{})
	if err != nil {
		return err
	}
	copy(memory.Bytes(), data)
	if err := s.post(ctx, func(id uint64) error {
		return s.conn.Write(id, transport.Range{Region: memory, Length: len(data)}, to)
	}); err != nil {
		return err
	}
	if err := s.done(ctx, s.work); err != nil {
		return err
	}
	s.count(func(r *Report) { r.Writes++; r.Pushed += int64(len(data)) })
	return memory.Close()
}

// xidOf is the XID that an RPC message begins with.
func xidOf(message []byte) uint32 {
	if len(message) < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(message)
}

package verbatim

import (
	"bytes"
	"context"
	"errors"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// send sends a captured message with the handles and offsets of now.
func (p *player) send(ctx context.Context, m *script.Message) error {
	message := append(bytes.Clone(m.Bytes), make([]byte, m.Length-len(m.Bytes))...)
	calls := m.Call != nil && m.Call.Request == m || m.Call == nil && p.Plan.End == Client
	for i, s := range segments(&m.Header) {
		at, ok := wire.SegmentAt(&m.Header, i)
		if !ok || at+rpcrdma.SegmentSize > len(message) {
			break
		}
		live, known := s, false
		if calls {
			live, known = p.advertise(m, i, s)
		} else {
			live, known = p.peers.findLive(s)
		}
		if known {
			live.Length = s.Length
			wire.PutSegment(message[at:], live)
		}
	}
	p.Sent++
	return p.post(ctx, func(id uint64) error {
		if !m.HasInvalidated {
			return p.c.Send(id, message)
		}
		handle := m.Invalidated
		if live, known := p.peers.findLive(rpcrdma.Segment{Handle: handle}); known {
			handle = live.Handle
		}
		return p.c.SendInvalidate(id, message, handle)
	})
}

// advertise registers memory for a segment of a call, unless it is registered, with the data that
// the peer is to read.
func (p *player) advertise(m *script.Message, i int, s rpcrdma.Segment) (live rpcrdma.Segment, ok bool) {
	if live, ok := p.own.findSegment(s, m.Call); ok {
		return live, true
	}
	g := script.Segment{Segment: s, Purpose: rpcrdma.ForWrite}
	if i < len(m.Header.Reads) {
		g.Purpose = rpcrdma.ForRead
	}
	var data []byte
	if m.Call != nil && i < len(m.Call.Segments) {
		g = m.Call.Segments[i]
		if g.Purpose == rpcrdma.ForRead {
			data = g.Data
		}
	}
	if s.Length > mostMoved {
		p.note("frame %d: a segment of %d bytes is not registered: the handle stays as captured", m.Frame.Number, s.Length)
		return s, false
	}
	made, err := p.memory.Advertise(&g, s.Length, data)
	for err != nil && p.own.release(p.memory) {
		made, err = p.memory.Advertise(&g, s.Length, data)
	}
	if err != nil {
		p.note("frame %d: a segment of %d bytes is not registered, the handle stays as captured: %v", m.Frame.Number, s.Length, err)
		return s, false
	}
	p.own.addSegment(s, made, m.Call)
	return made.Segment, true
}

// move does an RDMA Read or Write, and waits for it.
func (p *player) move(ctx context.Context, o *script.Operation) error {
	length := int(min(o.Length, mostMoved, uint64(p.MaxRegistered)))
	if uint64(length) < o.Length {
		p.note("frame %d: an RDMA Read or Write of %d bytes is shortened to %d", o.Frame.Number, o.Length, length)
	}
	access := transport.Access(0)
	if o.Kind == dissect.AccessRead {
		access = transport.Sink
	}
	memory, err := p.c.Register(max(length, 1), transport.Registration{Access: access})
	if err != nil {
		return err
	}
	to := transport.Remote{Handle: o.Handle, Offset: o.Offset}
	if live, known := p.peers.findLive(rpcrdma.Segment{Handle: o.Handle, Offset: o.Offset}); known {
		to = transport.Remote{Handle: live.Handle, Offset: live.Offset}
	}
	here := transport.Range{Region: memory, Length: length}
	if o.Kind != dissect.AccessRead {
		written(o, memory.Bytes())
	}
	if err := p.post(ctx, func(id uint64) error {
		if o.Kind == dissect.AccessRead {
			return p.c.Read(id, here, to)
		}
		return p.c.Write(id, here, to)
	}); err != nil {
		var left *transport.Disconnected
		if errors.As(err, &left) || ctx.Err() != nil {
			return err
		}
		p.note("frame %d: it cannot be done: %v", o.Frame.Number, err)
		return memory.Close()
	}
	p.Moved++
	if err := p.done(ctx, p.work); err != nil {
		return err
	}
	return memory.Close()
}

// written fills in what an RDMA Write wrote, as far as the capture has it.
func written(o *script.Operation, b []byte) {
	if o.Call == nil {
		return
	}
	for i := range o.Call.Segments {
		g := &o.Call.Segments[i]
		if g.Handle == o.Handle && o.Offset >= g.Offset && o.Offset-g.Offset < uint64(len(g.Data)) {
			copy(b, g.Data[o.Offset-g.Offset:])
			return
		}
	}
}

// done waits for work of a number.
func (p *player) done(ctx context.Context, id uint64) error {
	for {
		got, err := p.c.Next(ctx)
		if err != nil {
			return err
		}
		if own, err := p.memory.Completed(got); own || err != nil {
			if err := errors.Join(err, got.Err); err != nil {
				return err
			}
			continue
		}
		switch {
		case got.Operation == transport.OpReceive:
			p.came(&got)
			if err := p.c.Repost(got); err != nil {
				return err
			}
		case got.Err != nil || got.ID == id:
			return got.Err
		}
	}
}

package responder

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// A session is one connection of a live client. One goroutine uses it, and does one thing
// at a time: what comes meanwhile waits.
type session struct {
	*Server
	conn transport.Connection
	idle Timer // ends the connection
	// inline is how long a reply may be for the client, invalidates says that it may be sent
	// with invalidation.
	inline      int
	invalidates bool

	// waiting are messages that came. Each has its Receive until its turn: a client that
	// sends more than it was granted finds none.
	waiting []transport.Completion
	work    uint64 // the number of the last work
	handles map[uint32]rpcrdma.Segment
	// numbers are those with which the client used slots last.
	numbers map[slotOf]uint32
	// callable says that the client has made a session, over which it can be called.
	callable bool
	program  uint32 // of the client's callbacks, 0 if it did not say
	calling  map[uint32]*reverseCall
	called   int            // reverse-direction calls of the capture that were looked at
	due      []*script.Call // those of them that wait for the client's answer to others
}

// An incoming is a live call.
type incoming struct {
	header rpcrdma.Header
	bytes  []byte // the RPC message, without what Read chunks took out
	reads  []walk.ReadChunk
	data   [][]byte // of the Read chunks, by ascending Position
}

// run serves until the client disconnects.
func (s *session) run(ctx context.Context) error {
	for {
		for len(s.waiting) > 0 {
			came := s.waiting[0]
			s.waiting = s.waiting[1:]
			message := bytes.Clone(came.Message)
			if err := s.conn.Repost(came); err != nil {
				return err
			}
			if err := s.message(ctx, message); err != nil {
				return err
			}
		}
		if _, err := s.next(ctx); err != nil {
			return err
		}
	}
}

// next takes a completion. A message waits for its turn.
func (s *session) next(ctx context.Context) (transport.Completion, error) {
	done, err := s.conn.Next(ctx)
	if err == nil && done.Operation == transport.OpReceive {
		s.idle.Reset(s.options.Idle)
		s.waiting = append(s.waiting, done)
	}
	if err == nil {
		err = done.Err
	}
	return done, err
}

// done waits for work of a number.
func (s *session) done(ctx context.Context, id uint64) error {
	for {
		got, err := s.next(ctx)
		if err != nil || got.Operation != transport.OpReceive && got.ID == id {
			return err
		}
	}
}

// pull reads all Read chunks of a call, for which memory was taken.
func (s *session) pull(ctx context.Context, in *incoming) error {
	in.reads = readChunks(&in.header)
	for i := range in.header.NumReadChunks() {
		position, segments := in.header.ReadChunk(i)
		total := 0
		for _, g := range segments {
			total += int(g.Length)
		}
		data := []byte{}
		if total > 0 {
			memory, err := s.conn.Register(total, transport.Registration{Access: transport.Sink})
			if err != nil {
				return err
			}
			at := 0
			for _, g := range segments {
				if err := s.post(ctx, func(id uint64) error {
					return s.conn.Read(id, transport.Range{Region: memory, At: at, Length: int(g.Length)}, transport.Remote{Handle: g.Handle, Offset: g.Offset})
				}); err != nil {
					return err
				}
				if err := s.done(ctx, s.work); err != nil {
					return err
				}
				at += int(g.Length)
			}
			data = bytes.Clone(memory.Bytes())
			if err := memory.Close(); err != nil {
				return err
			}
			s.count(func(r *Report) { r.Reads++; r.Pulled += int64(total) })
		}
		if position == 0 && in.header.Proc == rpcrdma.RDMANoMsg {
			in.bytes = data
		} else {
			in.data = append(in.data, data)
		}
	}
	return nil
}

// post gives the connection work with the next number, when it has room.
func (s *session) post(ctx context.Context, do func(id uint64) error) error {
	s.work++
	for {
		err := do(s.work)
		if !errors.Is(err, transport.ErrFull) {
			return err
		}
		if _, err := s.next(ctx); err != nil {
			return err
		}
	}
}

// send sends a message, which invalidates a handle of the client if there is one.
func (s *session) send(ctx context.Context, message []byte, invalidate *uint32) error {
	return s.post(ctx, func(id uint64) error {
		if invalidate != nil {
			return s.conn.SendInvalidate(id, message, *invalidate)
		}
		return s.conn.Send(id, message)
	})
}

// call answers a call.
func (s *session) call(ctx context.Context, in *incoming) error {
	own, renewing := s.renewal(in)
	if own == nil {
		return s.matched(ctx, in, renewing)
	}
	s.count(func(r *Report) { r.Calls++; r.Own++ })
	return s.answer(ctx, in, own)
}

// matched answers a call by that of the capture, if there is one.
func (s *session) matched(ctx context.Context, in *incoming, renewing *renewal) error {
	s.mu.Lock()
	e, how, live := s.matcher.findEntry(in.bytes, in.reads)
	again := e != nil && e.used > 1
	s.mu.Unlock()
	s.count(func(r *Report) { r.Calls++ })
	if live.program != 0 {
		s.program = live.program
	}
	if e == nil || e.call.Reply == nil || renewing != nil && again {
		if own := s.always(in, &live, renewing); own != nil {
			if len(in.reads) > 0 {
				return s.refuse(ctx, &in.header, live.name+" has no argument that may be in a Read chunk")
			}
			s.count(func(r *Report) { r.Own++ })
			return s.answer(ctx, in, own)
		}
	}
	if e == nil || e.call.Reply == nil {
		return s.unmatched(ctx, in, &live, e)
	}
	s.count(func(r *Report) {
		if how == matchNear {
			r.near(live.name)
		}
		if again {
			r.Again++
		}
		if !sameData(e, in) {
			r.OtherData++
		}
	})
	s.remember(e, in)
	if err := s.reply(ctx, e, in, renewing); err != nil {
		return err
	}
	if live.program != 0 {
		s.callable = true
		s.forget()
	}
	return s.callBack(ctx, e)
}

// remember notes which live segment stands for which captured handle.
func (s *session) remember(e *entry, in *incoming) {
	live := segments(&in.header)
	for i := range e.call.Segments {
		if i < len(live) {
			s.handles[e.call.Segments[i].Handle] = live[i]
		}
	}
}

// sameData reports whether the data in Read chunks are the captured ones.
func sameData(e *entry, in *incoming) bool {
	var captured [][]byte
	for i := range e.call.Segments {
		g := &e.call.Segments[i]
		if g.Purpose != rpcrdma.ForRead || g.Position == 0 && e.call.Request.Header.Proc == rpcrdma.RDMANoMsg {
			continue
		}
		if g.Start == 0 {
			captured = append(captured, nil)
		}
		if len(captured) > 0 {
			captured[len(captured)-1] = append(captured[len(captured)-1], g.Data...)
		}
	}
	return slices.EqualFunc(captured, in.data, func(was, is []byte) bool {
		return bytes.Equal(bytes.TrimRight(was, "\x00"), bytes.TrimRight(is, "\x00")) // pads may count
	})
}

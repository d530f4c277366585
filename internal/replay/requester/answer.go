package requester

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// How long a server that asked to try again is left alone: a little first, then more.
const (
	firstRetry = 100 * time.Millisecond
	mostRetry  = 5 * time.Second
)

// received takes a message of the server.
func (r *run) received(c transport.Completion) error {
	now := time.Now()
	r.silent = 0
	h := &r.header
	h.Decode(c.Message)
	if h.Length < rpcrdma.FixedSize {
		r.result.Unexpected++
		return nil
	}
	if is, ok := rpc.MessageType(c.Message[min(h.Length, len(c.Message)):]); ok && is && h.Proc == rpcrdma.RDMAMsg && !h.Fault.Bad() {
		return r.called(c.Message)
	}
	e := r.open[h.XID]
	if e == nil {
		r.result.Unexpected++
		return nil
	}
	delete(r.open, h.XID)
	if h.Credits > 0 {
		r.grant = h.Credits
	}
	a := takeReply(e, c)
	e.Latency, e.Outcome = now.Sub(e.sent), Answered
	if r.o.Binder != nil && e.bound != nil && a.bytes != nil {
		verdict := e.bound.Reply(capturedReply(e), a.message(e))
		if verdict.Retry && e.retrying < r.o.RetryLimit {
			r.later(e, now)
			return r.release(e, &c)
		}
	}
	// What takes time is done when no call waits for it.
	e.answer, e.over = a, true
	return r.release(e, &c)
}

// later has a call be sent again.
func (r *run) later(e *Exchange, now time.Time) {
	wait := min(firstRetry<<min(e.Retries, 10), mostRetry, r.o.RetryLimit-e.retrying)
	e.Retries++
	e.retrying += wait
	e.due, e.again = now.Add(wait), true
	e.Outcome, e.Why = NoReply, "the server asks to try again"
	r.result.Waited += wait
	r.retries = append(r.retries, e)
}

// release gives a call's memory back. The reply says which handle was invalidated.
func (r *run) release(e *Exchange, reply *transport.Completion) error {
	for _, a := range e.memory {
		invalidated := reply != nil && reply.Invalidated && reply.Handle == a.Handle
		if invalidated {
			e.Invalidated++
		}
		if err := r.memory.Release(a, invalidated); err != nil {
			return err
		}
	}
	e.memory = e.memory[:0]
	return nil
}

// An answer is a reply of the live server.
type answer struct {
	header *rpcrdma.Header
	// bytes are the RPC reply without what Write chunks took out of it; nil of an
	// RDMA_ERROR. Lengths are those of the Write chunks as returned, and data says what of
	// their data is not as captured.
	bytes   []byte
	lengths []uint32
	data    []Difference
}

// message is the reply as a binder takes it.
func (a *answer) message(e *Exchange) bind.Message {
	m := bindMessage(e.Call, a.bytes)
	m.Writes = a.lengths
	return m
}

// capturedReply is the captured reply as a binder takes it, nil if there is none.
func capturedReply(e *Exchange) *bind.Message {
	data, _ := e.Call.Result()
	if e.Call.Reply == nil || e.Call.Failed() || data == nil {
		return nil
	}
	m := bindMessage(e.Call, data)
	m.Writes = returnedLengths(&e.Call.Reply.Header)
	return &m
}

// returnedLengths are those of a reply's Write chunks.
func returnedLengths(h *rpcrdma.Header) (list []uint32) {
	for i := range h.Writes {
		list = append(list, uint32(min(h.WriteLength(i), math.MaxUint32)))
	}
	return list
}

// takeReply takes out of the call's memory what the server wrote, which is given back then.
func takeReply(e *Exchange, c transport.Completion) *answer {
	h := new(rpcrdma.Header)
	h.Decode(c.Message)
	a := &answer{header: h, lengths: returnedLengths(h)}
	a.data = e.compareData(h)
	switch {
	case h.Proc == rpcrdma.RDMAError:
	case h.Proc == rpcrdma.RDMANoMsg && h.HasReply:
		a.bytes = e.written(rpcrdma.ForReply, 0, h.ChunkSegments(h.Reply))
	default:
		a.bytes = append([]byte(nil), c.Message[min(h.Length, len(c.Message)):]...)
	}
	return a
}

// written is what a server wrote into a chunk as the segments say that it returned.
func (e *Exchange) written(p rpcrdma.Purpose, chunk int, returned []rpcrdma.Segment) (data []byte) {
	data = []byte{}
	at := 0
	for i := range e.Call.Segments {
		s := &e.Call.Segments[i]
		if s.Purpose != p || s.Chunk != chunk || i >= len(e.memory) {
			continue
		}
		if at == len(returned) {
			break
		}
		b := e.memory[i].Bytes()
		data = append(data, b[:min(int64(len(b)), int64(returned[at].Length))]...)
		at++
	}
	return data
}

// accepted is an RPC reply: accepted, with a status and, of SUCCESS, no result (RFC 5531,
// section 9).
func accepted(xid uint32, status rpc.AcceptStat) (b []byte) {
	for _, word := range [...]uint32{xid, 1, 0, 0, 0, uint32(status)} {
		b = binary.BigEndian.AppendUint32(b, word)
	}
	return b
}

package requester

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/replay/bind"
	"github.com/rdmacap/rdmacap/replay/script"
	"github.com/rdmacap/rdmacap/replay/transport"
	"github.com/rdmacap/rdmacap/replay/wire"
)

// errLater says that something has to complete first.
var errLater = errors.New("later")

// advance sends what may be sent now. It returns when the next step is due, the zero time if
// that waits for a completion.
func (r *run) advance() (until time.Time, err error) {
	now := time.Now()
	if until, err = r.retry(now); err != nil {
		return until, err
	}
	for ; r.at < len(r.plan.steps); r.at++ {
		s := &r.plan.steps[r.at]
		if s.kind == stepAwait {
			if e := r.exchanges[s.call]; !e.over && !r.o.IgnoreCredits {
				return until, nil
			}
			r.reached = time.Now()
			continue
		}
		if !r.o.Immediately {
			if due := r.reached.Add(time.Duration(float64(s.gap) / r.o.Speed)); due.After(now) {
				if now = time.Now(); due.After(now) {
					return earlier(until, due), nil
				}
			}
		}
		if !r.o.IgnoreCredits && s.call != nil && len(r.open) >= int(min(max(r.grant, 1), math.MaxInt32)) {
			return until, nil
		}
		switch err := r.send(s); {
		case errors.Is(err, errLater):
			return until, nil
		case err != nil:
			return until, err
		}
		r.reached = time.Now()
	}
	return until, nil
}

// earlier is the earlier of two times, of which the first may be zero.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// retry sends calls again that a server asked to try again, when it is time.
func (r *run) retry(now time.Time) (until time.Time, err error) {
	for i := 0; i < len(r.retries); {
		e := r.retries[i]
		if e.due.After(now) {
			until = earlier(until, e.due)
			i++
			continue
		}
		if err := r.sendCall(e); errors.Is(err, errLater) {
			return until, nil
		} else if err != nil {
			return until, err
		}
		r.retries = append(r.retries[:i], r.retries[i+1:]...)
	}
	return until, nil
}

// send sends the message of a step.
func (r *run) send(s *step) error {
	if s.call != nil {
		return r.sendCall(r.exchanges[s.call])
	}
	r.xid++
	w := wire.Rewrite{XID: r.xid, KeepCredits: true}
	r.buf = w.Append(r.buf[:0], s.message)
	return r.post(r.buf)
}

// post sends octets.
func (r *run) post(b []byte) error {
	r.work++
	err := r.c.Send(r.work, b)
	if errors.Is(err, transport.ErrFull) {
		return errLater
	}
	return err
}

// A prepared call is what is sent but for handles and offsets.
type prepared struct {
	xid       uint32
	rpc       []byte   // behind the header; nil as captured
	long      []byte   // the content of the Position-Zero Read chunk; nil as captured
	positions []uint32 // of the Read list; nil as captured
	lengths   []uint32 // of the segments
}

// sendCall sends a call, or goes on with what had to wait.
func (r *run) sendCall(e *Exchange) error {
	if e.prepared == nil {
		if err := r.prepare(e); err != nil {
			r.refuse(e, err)
			return nil
		}
	}
	if err := r.advertise(e); err != nil {
		if errors.Is(err, errLater) || isEnd(err) {
			return err
		}
		r.refuse(e, err)
		return r.release(e, nil)
	}
	b, xid, err := r.build(e)
	if err != nil {
		r.refuse(e, err)
		return r.release(e, nil)
	}
	if err := r.post(b); errors.Is(err, errLater) || isEnd(err) {
		return err
	} else if err != nil {
		r.refuse(e, err)
		return r.release(e, nil)
	}
	e.sent, e.XID, e.Outcome, e.Why, e.prepared = time.Now(), xid, NoReply, "", nil
	if r.result.Began.IsZero() {
		r.result.Began = e.sent
	}
	r.open[xid] = e
	r.result.Open = max(r.result.Open, len(r.open))
	r.result.Registered = max(r.result.Registered, r.memory.Used())
	return nil
}

// isEnd reports whether an error says that the connection has ended.
func isEnd(err error) bool {
	d := (*transport.Disconnected)(nil)
	return errors.As(err, &d) || errors.Is(err, transport.ErrClosed)
}

// refuse notes that a call is not sent.
func (r *run) refuse(e *Exchange, why error) {
	e.over, e.Outcome, e.Why, e.prepared = true, NotSent, why.Error(), nil
}

// prepare has the call rewritten for the live server.
func (r *run) prepare(e *Exchange) error {
	r.xid++
	p := &prepared{xid: r.xid}
	for i := range e.Call.Segments {
		p.lengths = append(p.lengths, e.Call.Segments[i].Length)
	}
	e.prepared = p
	if r.o.Binder == nil || !e.Call.HasHeader {
		return nil
	}
	octets, _ := e.Call.Message()
	captured := bindMessage(e.Call, octets)
	captured.Reads = readChunks(e.Call)
	switch {
	case e.bound == nil:
		bound, err := r.o.Binder.Call(captured)
		if err != nil {
			return err
		}
		e.bound = bound
	case e.again:
		e.bound.Again()
		e.again = false
	}
	e.Unbound = e.bound.Unbound
	p.positions = positions(&e.message.Header, captured.Reads, e.bound.Reads)
	if _, long := e.message.Header.PositionZero(); long && e.message.Header.Proc == rpcrdma.RDMANoMsg {
		p.long = e.bound.Octets
		return p.fit(e.Call)
	}
	p.rpc = e.bound.Octets
	if n := e.message.Header.Length + len(p.rpc); n > r.limit && n > e.message.Length {
		return fmt.Errorf("bound to this server the call takes %d bytes, and the server receives %d", n, r.limit)
	}
	return nil
}

// bindMessage is a message as a binder takes it.
func bindMessage(c *script.Call, octets []byte) bind.Message {
	return bind.Message{Octets: octets, Program: c.Header.Program, Version: c.Header.Version, Procedure: c.Header.Procedure, Backward: c.Backward}
}

// readChunks are the Read chunks of a call without that at Position zero.
func readChunks(c *script.Call) (list []walk.ReadChunk) {
	h := &c.Request.Header
	for i := range h.NumReadChunks() {
		if position, _ := h.ReadChunk(i); position > 0 {
			list = append(list, walk.ReadChunk{Position: position, Length: uint32(min(h.ReadLength(position), math.MaxUint32))})
		}
	}
	return list
}

// positions are those of the Read list when chunks were moved.
func positions(h *rpcrdma.Header, before, after []walk.ReadChunk) (list []uint32) {
	moved := make(map[uint32]uint32)
	for i := range min(len(before), len(after)) {
		moved[before[i].Position] = after[i].Position
	}
	for i := range h.Reads {
		position := h.Reads[i].Position
		if to, ok := moved[position]; ok {
			position = to
		}
		list = append(list, position)
	}
	return list
}

// fit gives the segments of the Position-Zero Read chunk the length of a message that has
// another one now.
func (p *prepared) fit(c *script.Call) error {
	left, last := uint64(len(p.long)), -1
	for i := range c.Segments {
		if s := &c.Segments[i]; s.Purpose == rpcrdma.ForRead && s.Position == 0 {
			p.lengths[i] = uint32(min(left, uint64(s.Length)))
			left -= uint64(p.lengths[i])
			last = i
		}
	}
	if last < 0 || uint64(p.lengths[last])+left > math.MaxUint32 {
		return errors.New("bound to this server the call does not fit in its Position-Zero Read chunk")
	}
	p.lengths[last] += uint32(left)
	return nil
}

// advertise registers memory for the segments of a call.
func (r *run) advertise(e *Exchange) error {
	rest := e.prepared.long
	for i := range e.Call.Segments {
		s := &e.Call.Segments[i]
		data := s.Data
		if rest != nil && s.Purpose == rpcrdma.ForRead && s.Position == 0 {
			data, rest = rest[:e.prepared.lengths[i]], rest[e.prepared.lengths[i]:]
		}
		if i < len(e.memory) {
			continue // it had to wait behind this one
		}
		a, err := r.memory.Advertise(s, e.prepared.lengths[i], data)
		if limit := (*wire.LimitReached)(nil); errors.As(err, &limit) && (len(r.open) > 0 || r.memory.Busy() > 0) || errors.Is(err, transport.ErrFull) {
			return errLater
		}
		if err != nil {
			return err
		}
		e.memory = append(e.memory, a)
	}
	return nil
}

// build puts the Send together.
func (r *run) build(e *Exchange) (b []byte, xid uint32, err error) {
	p := e.prepared
	var notes []string
	w := wire.Rewrite{XID: p.xid, KeepCredits: true, Positions: p.positions, RPC: p.rpc}
	for _, a := range e.memory {
		w.Segments = append(w.Segments, a.Segment)
	}
	r.buf = w.Append(r.buf[:0], e.message)
	for i := range e.Call.Segments {
		if s := &e.Call.Segments[i]; s.Purpose == rpcrdma.ForRead && s.Position == 0 && s.Start == 0 {
			wire.SetXID(e.memory[i].Bytes(), e.Call.XID, p.xid)
		}
	}
	for i := range r.o.Edits {
		if edit := &r.o.Edits[i]; e.Call.Marks[edit.Mark] {
			if err := edit.Apply(r.buf, &e.message.Header); err != nil {
				return nil, 0, fmt.Errorf("it cannot be edited: %w", err)
			}
			notes = append(notes, "sent with "+edit.String())
		}
	}
	if n := r.oversize(e); n > len(r.buf) {
		notes = append(notes, fmt.Sprintf("sent with %d bytes in place of %d", n, len(r.buf)))
		r.buf = append(r.buf, make([]byte, n-len(r.buf))...)
	}
	xid, e.Notes = p.xid, notes
	if r.header.Decode(r.buf); r.header.Length >= rpcrdma.FixedSize {
		xid = r.header.XID // an edit may have given it another
	}
	return r.buf, xid, nil
}

// oversize is how long the Send is to be made, 0 for as long as it is.
func (r *run) oversize(e *Exchange) int {
	if r.o.Oversize == 0 || e != r.result.Exchanges[len(r.result.Exchanges)-1] {
		return 0
	}
	if r.o.Oversize < 0 {
		return r.limit + 4
	}
	return r.o.Oversize
}

package requester

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

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
			continue // it had to wait after this one
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
func (r *run) build(e *Exchange) (b []byte, err error) {
	p := e.prepared
	var notes []string
	if e.Retransmission {
		notes = append(notes, fmt.Sprintf("the call of frame %d again, with its XID", e.first.Call.Request.Frame.Number))
	}
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
				return nil, fmt.Errorf("it cannot be edited: %w", err)
			}
			notes = append(notes, "sent with "+edit.String())
		}
	}
	if n := r.oversize(e); n > len(r.buf) {
		notes = append(notes, fmt.Sprintf("sent with %d bytes in place of %d", n, len(r.buf)))
		r.buf = append(r.buf, make([]byte, n-len(r.buf))...)
	}
	e.XID, e.Notes = p.xid, notes
	if r.header.Decode(r.buf); r.header.Length >= rpcrdma.FixedSize {
		e.XID = r.header.XID // an edit may have given it another
	}
	return r.buf, nil
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

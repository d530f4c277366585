package requester

import (
	"errors"
	"fmt"
	"math"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// A prepared call is what is sent but for handles and offsets.
type prepared struct {
	xid       uint32
	rpc       []byte   // after the header; nil as captured
	long      []byte   // the content of the Position-Zero Read chunk; nil as captured
	positions []uint32 // of the Read list; nil as captured
	lengths   []uint32 // of the segments
}

// prepare has the call rewritten for the live server.
func (r *run) prepare(e *Exchange) error {
	again := e.first != nil && e.first.Outcome != NotSent && e.Retries == 0
	p := &prepared{xid: r.xid + 1}
	if again {
		p.xid = e.first.rpcXID
	} else {
		r.xid++
	}
	e.rpcXID, e.Retransmission = p.xid, again || e.Retransmission
	for i := range e.Call.Segments {
		p.lengths = append(p.lengths, e.Call.Segments[i].Length)
	}
	e.prepared = p
	if r.o.Binder == nil || !e.Call.HasHeader {
		return nil
	}
	data, _ := e.Call.Message()
	captured := bindMessage(e.Call, data)
	captured.Reads = readChunks(e.Call)
	switch {
	case e.bound == nil && again && e.first.bound != nil:
		e.bound = e.first.bound // to the byte what was sent before
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
	if session, slot, ok := e.bound.Slot(); ok {
		if granted, made := r.slots[string(session)]; made && slot >= granted {
			return fmt.Errorf("the call is on slot %d, and the live server grants %d", slot, granted)
		}
	}
	if r.o.NoChanges {
		if v := r.plan.effectOf(e.message, e.bound.Kept); v.Effect == effect.Changes {
			return fmt.Errorf("the live server returned nothing to replace what the captured one returned: %s may remove state of the captured client (--yes sends it)", v.By)
		}
	}
	p.positions = positions(&e.message.Header, captured.Reads, e.bound.Reads)
	if _, long := e.message.Header.PositionZero(); long && e.message.Header.Proc == rpcrdma.RDMANoMsg {
		p.long = e.bound.Bytes
		return p.fit(e.Call)
	}
	p.rpc = e.bound.Bytes
	if n := e.message.Header.Length + len(p.rpc); n > r.limit && n > e.message.Length {
		return fmt.Errorf("adapted to this server the call has %d bytes, and the server can receive %d", n, r.limit)
	}
	return nil
}

// bindMessage is a message as a binder takes it.
func bindMessage(c *script.Call, data []byte) bind.Message {
	return bind.Message{Bytes: data, Program: c.Header.Program, Version: c.Header.Version, Procedure: c.Header.Procedure, Reverse: c.Reverse}
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
		return errors.New("adapted to this server the call does not fit in its Position-Zero Read chunk")
	}
	p.lengths[last] += uint32(left)
	return nil
}

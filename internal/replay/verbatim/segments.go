package verbatim

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// segments are those of a header in its order: Read list, Write list, Reply chunk.
func segments(h *rpcrdma.Header) (list []rpcrdma.Segment) {
	for _, r := range h.Reads {
		list = append(list, r.Segment)
	}
	return append(list, h.Segments...)
}

// A pair is a captured segment and the one that stands for it.
type pair struct{ captured, live rpcrdma.Segment }

// at is what stands for captured memory, which may lie beside the segment.
func (p pair) at(offset uint64) rpcrdma.Segment {
	return rpcrdma.Segment{Handle: p.live.Handle, Offset: p.live.Offset + offset - p.captured.Offset}
}

// among is the pair of a captured handle, the last of them whose segment has the offset, or
// else the last of all; nil if nobody advertised the handle.
func among(list []pair, offset uint64) *pair {
	for i := len(list) - 1; i >= 0; i-- {
		if c := list[i].captured; offset >= c.Offset && offset-c.Offset < uint64(c.Length) {
			return &list[i]
		}
	}
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// peers are the segments that the peer advertised, by captured handle.
type peers struct{ byHandle map[uint32][]pair }

// kept is how many segments of one handle are remembered.
const kept = 64

// learn notes what a message of the peer advertises, the n-th segment for the n-th.
func (p *peers) learn(captured, live *rpcrdma.Header) {
	if p.byHandle == nil {
		p.byHandle = make(map[uint32][]pair)
	}
	is := segments(live)
	for i, was := range segments(captured) {
		if i == len(is) {
			return
		}
		list := p.byHandle[was.Handle]
		if len(list) == kept {
			list = append(list[:0], list[1:]...)
		}
		p.byHandle[was.Handle] = append(list, pair{was, is[i]})
	}
}

// findLive is what stands for captured memory of the peer. Offset 0 is for who only has a handle.
func (p *peers) findLive(s rpcrdma.Segment) (live rpcrdma.Segment, known bool) {
	of := among(p.byHandle[s.Handle], s.Offset)
	if of == nil {
		return s, false
	}
	return of.at(s.Offset), true
}

// advertised is the memory that this side has advertised.
type advertised struct {
	byHandle map[uint32]*owned
	live     map[uint32]*owned
	// inOrder are all that are registered, the oldest first.
	inOrder []*owned
}

// An owned is memory for one captured segment.
type owned struct {
	pair
	call        *script.Call
	memory      *wire.Advertised
	invalidated bool
	answered    bool // the call is
}

func (a *advertised) init() {
	a.byHandle, a.live = make(map[uint32]*owned), make(map[uint32]*owned)
}

// addSegment notes memory for a captured segment.
func (a *advertised) addSegment(s rpcrdma.Segment, m *wire.Advertised, call *script.Call) {
	o := &owned{pair: pair{s, m.Segment}, call: call, memory: m}
	a.byHandle[s.Handle], a.live[m.Handle] = o, o
	a.inOrder = append(a.inOrder, o)
}

// findSegment is the memory for a captured segment, if it is still advertised: for the same call, which
// is retransmitted, or for another that is open.
func (a *advertised) findSegment(s rpcrdma.Segment, call *script.Call) (live rpcrdma.Segment, ok bool) {
	o := a.byHandle[s.Handle]
	if o == nil || o.invalidated || o.captured.Offset != s.Offset || o.captured.Length != s.Length || call != nil && call != o.call && o.answered {
		return s, false
	}
	return o.live, true
}

// answer notes that a call is answered: its memory may be advertised anew.
func (a *advertised) answer(call *script.Call) {
	for i := range call.Segments {
		if o := a.byHandle[call.Segments[i].Handle]; o != nil && o.call == call {
			o.answered = true
		}
	}
}

// gone notes that the peer has invalidated a live handle, goneAsCaptured a captured one.
func (a *advertised) gone(handle uint32) {
	if o := a.live[handle]; o != nil {
		o.invalidated = true
	}
}

func (a *advertised) goneAsCaptured(handle uint32) {
	if o := a.byHandle[handle]; o != nil {
		o.invalidated = true
	}
}

// release gives the oldest memory back, if there is any.
func (a *advertised) release(m *wire.Memory) bool {
	if len(a.inOrder) == 0 {
		return false
	}
	o := a.inOrder[0]
	a.inOrder = a.inOrder[1:]
	delete(a.live, o.live.Handle)
	if a.byHandle[o.captured.Handle] == o {
		delete(a.byHandle, o.captured.Handle)
	}
	return m.Release(o.memory, o.invalidated) == nil
}

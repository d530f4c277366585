package v2

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostChunks is how many Write chunks of a call are compared.
const mostChunks = 8

// A room is what a call offers for its reply, or what that used of it, in bytes.
type room struct {
	writes [mostChunks]uint64
	chunks int // Write chunks
	reply  uint64
}

func roomOf(h *rpcrdma.Header) (r room) {
	r.chunks = len(h.Writes)
	for i := range min(r.chunks, mostChunks) {
		r.writes[i] = h.WriteLength(i)
	}
	if h.HasReply {
		r.reply = h.ChunkLength(h.Reply)
	}
	return r
}

// larger reports whether there is more room anywhere than in another, or may be.
func (r *room) larger(o *room) bool {
	if r.chunks > o.chunks || r.reply > o.reply || r.chunks > mostChunks {
		return true
	}
	for i := range r.chunks {
		if r.writes[i] > o.writes[i] {
			return true
		}
	}
	return false
}

// written is the room in Write chunks together.
func (r *room) written() (sum uint64) {
	for _, n := range r.writes {
		sum += n
	}
	return sum
}

// show adds the room, and that of the call before.
func (r *room) show(f *rules.Finding, before *room) *rules.Finding {
	f.See("room in Write chunks", r.written(), nil).See("room in Write chunks before", before.written(), nil)
	return f.See("room in the Reply chunk", r.reply, nil).See("room in the Reply chunk before", before.reply, nil)
}

// mostShortages is how many CANT_REPLYs of a connection are remembered.
const mostShortages = 16

// A shortage is a call that drew CANT_REPLY.
type shortage struct {
	requester flow.End
	xid       uint32
	frame     flow.Ref // of the error
	room      room     // of the call
	processed bool
	again     flow.Ref // the call when it came again
	over      bool     // that got another answer
}

// shortages are the last of a connection.
type shortages struct{ rules.Ring[shortage] }

// findShortage is the newest of a call that got no other answer since, nil if there is none.
func (w *shortages) findShortage(requester flow.End, xid uint32) *shortage {
	for s := range w.Backward() {
		if s.xid == xid && s.requester == requester && !s.over {
			return s
		}
	}
	return nil
}

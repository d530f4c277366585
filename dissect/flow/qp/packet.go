package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/list"
)

// held is a copy of a packet that has to wait: the frame's bytes belong to
// the reader, and are gone when the next frame is read.
type held struct {
	flow.Frame
	requester *requester
	seq       int64 // the tracker's frame count when it came
	xid       xidKey
	// inRequests is its place among the requests by which unpaired halves are found.
	inRequests list.Element[held]
	// proven is the connection's frame count when the peer had acknowledged
	// all before it, 0 if not yet; of a packet after a gap.
	proven int64
	before int32 // of a request after a gap, what half.before is
}

// xidKey is what track.Options.Peek reads from a Send.
type xidKey struct {
	id       uint32
	call, ok bool
}

// keep copies a packet and its bytes.
func keep(h *requester, f *flow.Frame) *held {
	k := &held{Frame: *f, requester: h}
	k.IB.Bytes = append([]byte(nil), f.IB.Bytes...)
	k.Data = nil
	return k
}

// cost is the memory that a kept packet takes, in bytes, more or less.
func (k *held) cost() int { return len(k.IB.Bytes) + 384 }

package memory

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Grant is a segment that a call advertised.
type Grant struct {
	rpcrdma.Segment
	Purpose rpcrdma.Purpose
	// Position is that of a Read chunk's segment, Chunk the index of its chunk
	// among those of its purpose.
	Position uint32
	Chunk    int
	// XID is that of the call, which Owner sent in frame Call at time Since.
	XID   uint32
	Owner flow.End
	Call  flow.Ref
	Since int64
	// RPC is the transaction, nil once it is over.
	RPC *dissect.RPC
	// Over says why the grant is no longer live, Live if it is; By is the frame
	// that ended it at time Until.
	Over  Ending
	By    flow.Ref
	Until int64
	// Older is the grant of the same handle before this one, nil if none is
	// remembered.
	Older *Grant

	more bool // older ones that were live were forgotten
}

// An Ending says how a grant ended.
type Ending uint8

const (
	Live        Ending = iota
	Replied            // its RPC got a reply
	Failed             // its RPC got an RDMA_ERROR
	Invalidated        // a Send With Invalidate named its handle
	Forgotten          // its RPC never got an answer, or its XID serves another call
)

// String is what ended the grant, for a person.
func (e Ending) String() string {
	switch e {
	case Replied:
		return "the reply"
	case Failed:
		return "the RDMA_ERROR"
	case Invalidated:
		return "a Send With Invalidate"
	case Forgotten:
		return "the end of its unanswered call"
	}
	return "nothing"
}

package rpcrdma

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/span"
)

// A Region is one advertised segment and what RDMA operations did with it.
type Region struct {
	Segment
	Purpose Purpose
	// Owner is the end whose memory it is: that which sent the call.
	Owner flow.End
	// Over says why the segment may no longer be used, Live if it may; By is the last
	// frame of the message that ended it, captured at Until.
	Over Ending
	// Position is that of a Read chunk's segment, XID that of the call.
	Position, XID uint32
	// Chunk is the index of its chunk among those of its purpose, and Start
	// the offset of the segment's first byte in that chunk.
	Chunk int
	Start uint64
	// Asked are the bytes that RDMA Read requests named, Seen those that
	// moved, both from 0 at the segment's first byte. They are forgotten when the
	// RPC is over.
	Asked, Seen span.Set
	// Call is the last frame of the call, captured at Since. Times are in nanoseconds
	// since 1970.
	Call, By     flow.Ref
	Since, Until int64

	// more says that older regions with the handle were cut off that were live, last
	// that the region is the last of those with the handle that Older goes to; cut
	// that Older does not go to it.
	more, last, cut bool
	listed          bool    // it stands in the list of its handle
	offer           *Offer  // nil once the offer was retired
	older, newer    *Region // neighbours in the list of regions with this handle
}

// An Ending says what ended a Region.
type Ending uint8

const (
	Live        Ending = iota // nothing so far
	Replied                   // its RPC got a reply
	Failed                    // its RPC got an RDMA_ERROR
	Invalidated               // a Send With Invalidate named its handle
	Forgotten                 // its RPC never got an answer, or its XID serves another call
)

// String is what ended the region, for a person.
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

// Offer is the one that the region is of, nil once that was retired.
func (r *Region) Offer() *Offer { return r.offer }

// Older is the region with the same handle that was advertised before this one, nil
// if none is remembered, or none of the newest 16.
func (r *Region) Older() *Region {
	if r.last {
		return nil
	}
	return r.older
}

// Newer is the region with the same handle that was advertised next, nil if there is none.
func (r *Region) Newer() *Region { return r.newer }

// More reports whether older regions with the handle are left out by Older though
// they were live: there are very many.
func (r *Region) More() bool { return r.more }

// Has reports whether a range of bytes lies in the segment.
func (r *Region) Has(offset, length uint64) bool {
	if offset < r.Offset {
		return false
	}
	at := offset - r.Offset
	return at <= uint64(r.Length) && length <= uint64(r.Length)-at
}

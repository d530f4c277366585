package rpcrdma

import "github.com/rdmacap/rdmacap/field"

// A Segment is a piece of memory that a requester advertises (RFC 8166,
// section 3.4.1): HLOO, 16 bytes.
type Segment struct {
	Handle uint32 // R_key or STag
	Length uint32 // bytes
	Offset uint64 // virtual address or tagged offset
}

// A ReadSegment is an entry of the Read list: 20 bytes (RFC 8166, section 3.4.5).
type ReadSegment struct {
	Position uint32 // byte in the unreduced RPC message; 0: the Position-Zero Read chunk
	Segment
}

// A Chunk is a counted array of segments in Header.Segments: a Write chunk or
// the Reply chunk.
type Chunk struct {
	First, Count int
}

// A Header is an RPC-over-RDMA transport header, as scalars and slices that
// Decode uses again; nothing in it points into the bytes decoded.
type Header struct {
	// XID, Version, Credits and Proc are the four fixed words (rdma_xid,
	// rdma_vers, rdma_credit, rdma_proc).
	XID, Version, Credits uint32
	Proc                  Proc
	// Align and Thresh are the two words of an RDMA_MSGP.
	Align, Thresh uint32
	// Reads is the Read list in wire order.
	Reads []ReadSegment
	// Writes is the Write list, Reply the Reply chunk if HasReply; both index Segments.
	Writes   []Chunk
	Reply    Chunk
	HasReply bool
	// Segments holds the segments of the Write list and the Reply chunk in wire order.
	Segments []Segment
	// Error is rdma_err of an RDMA_ERROR; VersLow and VersHigh come with ERR_VERS.
	Error             ErrorCode
	VersLow, VersHigh uint32
	// What only version 2 has. Direction is rdma_direction or rdma_optdir, REPLY
	// for an RDMA2_ERROR; Directed reports whether it is known. InvHandle is
	// rdma_inv_handle, the handle that the reply may invalidate, or 0.
	Direction Direction
	InvHandle uint32
	// Processed, SegmentIndex and LengthNeeded come with RDMA2_ERR_CANT_REPLY:
	// whether the upper layer has processed the request, which segment is too
	// short, counted from 1 through the Write list and the Reply chunk (0 if that
	// is not known), and the bytes that it would need.
	SegmentIndex, LengthNeeded uint32
	Processed                  bool
	// ErrorDirected says that the RDMA2_ERROR has a direction before rdma_err, as
	// the words of the draft have it and its XDR has not.
	ErrorDirected bool
	// Length is the number of bytes of the header; what follows is the
	// inline part of the RPC message.
	// With a fault, Length counts the words, segments and chunks before it.
	// Bytes after a header that must stand alone (RDMA_NOMSG, RDMA_DONE,
	// RDMA_ERROR) are not a fault of the header.
	Length int
	// Fault is the first thing wrong, with its byte in the message.
	Fault field.Fault
	// Cut says that the fault is only that the bytes end too early, or that a
	// segment count needs more of them: in a message that the capture cut
	// short, this proves nothing against its sender.
	Cut bool

	part       part          // the part of the header that Decode was in last
	byPosition []ReadSegment // Reads in order of Position: Reads itself, or sorted
	sorted     []ReadSegment // memory for byPosition where Reads is not in order
	readChunks []Chunk       // the Read chunks, in byPosition
	option     *Option       // of an RDMA2_OPTIONAL, or memory for one
}

// ChunkSegments are the segments of a Write or Reply chunk.
func (h *Header) ChunkSegments(c Chunk) []Segment { return h.Segments[c.First : c.First+c.Count] }

package rpcrdma

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// FixedSize is the number of bytes of the four words that begin a transport
// header of any version (RFC 8166, section 4.2).
const FixedSize = 16

// A part is a part of the transport header; the view shows a fault in it.
type part uint8

const (
	partFixed part = iota
	partBody       // the words of RDMA_MSGP or RDMA_ERROR, or those before the lists in version 2
	partReads
	partWrites
	partReply
)

// Peek reads the four words that keep their place and meaning in every version
// of RPC-over-RDMA (RFC 8166, section 4.2). It is not ok with fewer than 16
// bytes.
func Peek(b []byte) (xid, version, credits, proc uint32, ok bool) {
	if len(b) < FixedSize {
		return 0, 0, 0, 0, false
	}
	return binary.BigEndian.Uint32(b),
		binary.BigEndian.Uint32(b[4:]),
		binary.BigEndian.Uint32(b[8:]),
		binary.BigEndian.Uint32(b[12:]),
		true
}

// Decode reads the transport header at the start of b, which is the payload of
// one Send, or as much of it as was captured. It replaces all of h but uses
// the memory of its slices again, and reports whether the header has no fault.
// What was decoded before a fault stays.
func (h *Header) Decode(b []byte) bool {
	*h = Header{
		Reads: h.Reads[:0], Writes: h.Writes[:0], Segments: h.Segments[:0],
		sorted: h.sorted[:0], readChunks: h.readChunks[:0], option: h.option,
	}
	c := xdr.NewCursor(b, "transport header shorter than 16 bytes")
	h.XID = c.Uint32()
	h.Version = c.Uint32()
	h.Credits = c.Uint32()
	h.Proc = Proc(c.Uint32())
	h.Length = c.Offset()
	switch {
	case c.Bad():
	case h.Version == Version2:
		h.body2(&c, b)
		h.groupReads()
	case h.Version != Version1 && !(h.Proc == RDMAError && refusesVersion(b)):
		c.Fail(4, "rdma_vers is neither 1 nor 2")
	case h.Proc > RDMAError:
		c.Fail(12, "rdma_proc is not defined")
	default:
		h.body(&c)
		h.groupReads()
	}
	h.Fault, h.Cut = c.Fault(), c.Cut()
	return !h.Fault.Bad()
}

// refusesVersion reports whether an RDMA_ERROR of any version is an ERR_VERS: it has
// the version that it refuses, and is the same in all, so that it can be read by
// who does not speak that (RFC 8166, section 4.5).
func refusesVersion(b []byte) bool {
	return len(b) >= FixedSize+12 && binary.BigEndian.Uint32(b[FixedSize:]) == uint32(ErrVers)
}

// body reads what follows the fixed words.
func (h *Header) body(c *xdr.Cursor) {
	h.part = partBody
	switch h.Proc {
	case RDMADone:
		return
	case RDMAError:
		h.errorBody(c)
		return
	case RDMAMsgP:
		c.Short = "RDMA_MSGP header cut short"
		h.Align = c.Uint32()
		h.Thresh = c.Uint32()
		h.checkEnd(c)
	}
	h.readList(c)
	h.writeList(c)
	h.replyChunk(c)
}

func (h *Header) errorBody(c *xdr.Cursor) {
	c.Short = "RDMA_ERROR header cut short"
	h.Error = ErrorCode(c.Uint32())
	h.checkEnd(c)
	switch {
	case c.Bad() || h.Error == ErrChunk:
	case h.Error == ErrVers:
		h.VersLow = c.Uint32()
		h.VersHigh = c.Uint32()
		h.checkEnd(c)
	default:
		c.Fail(FixedSize, "rdma_err is not defined")
	}
}

// readList reads { 1, position, segment }*, 0.
func (h *Header) readList(c *xdr.Cursor) {
	if c.Bad() {
		return
	}
	h.part = partReads
	c.Short = "Read list runs past the message"
	for present(c, "optional word of the Read list is neither 0 nor 1") {
		s := ReadSegment{Position: c.Uint32(), Segment: segment(c)}
		if c.Bad() {
			return
		}
		h.Reads = append(h.Reads, s)
		h.checkEnd(c)
	}
	h.checkEnd(c)
}

// writeList reads { 1, count, segment* }*, 0.
func (h *Header) writeList(c *xdr.Cursor) {
	if c.Bad() {
		return
	}
	h.part = partWrites
	c.Short = "Write list runs past the message"
	for present(c, "optional word of the Write list is neither 0 nor 1") {
		chunk, ok := h.chunk(c, "segment count of a Write chunk is more than the message holds")
		if !ok {
			return
		}
		h.Writes = append(h.Writes, chunk)
	}
	h.checkEnd(c)
}

// replyChunk reads 0, or 1, count, segment*.
func (h *Header) replyChunk(c *xdr.Cursor) {
	if c.Bad() {
		return
	}
	h.part = partReply
	c.Short = "Reply chunk runs past the message"
	if present(c, "optional word of the Reply chunk is neither 0 nor 1") {
		h.Reply, h.HasReply = h.chunk(c, "segment count of the Reply chunk is more than the message holds")
		return
	}
	h.checkEnd(c)
}

// chunk reads count, segment*. A count that the rest of the message cannot
// hold is refused before anything is stored, so that a stranger's word does
// not become memory.
func (h *Header) chunk(c *xdr.Cursor, tooMany string) (Chunk, bool) {
	at := c.Offset()
	n := c.Uint32()
	if uint64(n)*SegmentSize > uint64(c.Remaining()) {
		c.Overrun(at, tooMany)
	}
	if c.Bad() {
		return Chunk{}, false
	}
	chunk := Chunk{First: len(h.Segments), Count: int(n)}
	for range chunk.Count {
		h.Segments = append(h.Segments, segment(c))
	}
	h.checkEnd(c)
	return chunk, true
}

// checkEnd counts what was read since to the header, if it was whole.
func (h *Header) checkEnd(c *xdr.Cursor) {
	if !c.Bad() {
		h.Length = c.Offset()
	}
}

// present reads the word before an optional item: 1 if the item follows.
func present(c *xdr.Cursor, neither string) bool {
	at := c.Offset()
	v := c.Uint32()
	if v > 1 {
		c.Fail(at, neither)
	}
	return v == 1
}

// segment reads handle, length, offset.
func segment(c *xdr.Cursor) Segment {
	return Segment{Handle: c.Uint32(), Length: c.Uint32(), Offset: c.Uint64()}
}

package rpcrdma

import (
	"sort"

	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// Offsets in bytes of the four words that begin a transport header of any version
// (RFC 8166, section 4.2), and of rdma_err in an RDMA_ERROR (section 4.5), for which
// see also ErrorAt.
const (
	AtXID     = 0
	AtVersion = 4
	AtCredits = 8
	AtProc    = 12
	AtError   = FixedSize
)

// Sizes in bytes of the parts of a transport header (RFC 8166, sections 3.4.1,
// 3.4.5 and 4.1), the same in version 2 but for LeastSize. Each entry of a list begins with a word that says that
// there is one, and a list ends with such a word.
const (
	// SegmentSize is handle, length and offset.
	SegmentSize = 16
	// ReadSize is an entry of the Read list: optional word, Position, segment.
	ReadSize = 2*xdr.WordSize + SegmentSize
	// ChunkSize is a Write or Reply chunk without any segment: optional word and
	// segment count.
	ChunkSize = 2 * xdr.WordSize
	// LeastSize is a version 1 header of RDMA_MSG or RDMA_NOMSG whose three lists are empty.
	LeastSize = FixedSize + 3*xdr.WordSize
	// SegmentLength is the offset of rdma_length in a segment.
	SegmentLength = 4
)

// ListsAt is the offset of the Read list, which is the first of the three. This and
// the other offsets are of use in a header that has lists, as far as Decode found
// them.
func (h *Header) ListsAt() int {
	if h.Version == Version2 || h.Proc == RDMAMsgP { // rdma_direction and rdma_inv_handle, or rdma_align and rdma_thresh
		return FixedSize + 2*xdr.WordSize
	}
	return FixedSize
}

// LeastSize is the size of a header of the same version that has empty lists.
func (h *Header) LeastSize() int {
	if h.Version == Version2 {
		return LeastSize + 2*xdr.WordSize
	}
	return LeastSize
}

// ErrorAt is the offset of rdma_err in an RDMA_ERROR or RDMA2_ERROR.
func (h *Header) ErrorAt() int {
	if h.ErrorDirected {
		return AtError + xdr.WordSize
	}
	return AtError
}

// ReadAt is the offset of Reads[i], at the word before its Position; of the word
// that ends the list for one past the last.
func (h *Header) ReadAt(i int) int { return h.ListsAt() + i*ReadSize }

// PositionAt is the offset of the Position of Reads[i].
func (h *Header) PositionAt(i int) int { return h.ReadAt(i) + xdr.WordSize }

// ReadSegmentAt is the offset of the segment of Reads[i].
func (h *Header) ReadSegmentAt(i int) int { return h.ReadAt(i) + 2*xdr.WordSize }

// WriteAt is the offset of Writes[i], at the word before its segment count; of the
// word that ends the list for one past the last.
func (h *Header) WriteAt(i int) int {
	segments := h.written()
	if i < len(h.Writes) {
		segments = h.Writes[i].First
	}
	return h.ReadAt(len(h.Reads)) + xdr.WordSize + i*ChunkSize + segments*SegmentSize
}

// WriteCountAt is the offset of the segment count of Writes[i].
func (h *Header) WriteCountAt(i int) int { return h.WriteAt(i) + xdr.WordSize }

// ReplyAt is the offset of the word that says whether there is a Reply chunk.
func (h *Header) ReplyAt() int { return h.WriteAt(len(h.Writes)) + xdr.WordSize }

// ReplyCountAt is the offset of the segment count of the Reply chunk, if there is
// one.
func (h *Header) ReplyCountAt() int { return h.ReplyAt() + xdr.WordSize }

// SegmentAt is the offset of Segments[i], a segment of a Write chunk or of the
// Reply chunk.
func (h *Header) SegmentAt(i int) int {
	if n := h.written(); i >= n {
		return h.ReplyAt() + ChunkSize + (i-n)*SegmentSize
	}
	chunk := sort.Search(len(h.Writes), func(k int) bool { return h.Writes[k].First+h.Writes[k].Count > i })
	return h.WriteAt(chunk) + ChunkSize + (i-h.Writes[chunk].First)*SegmentSize
}

// written is the number of segments of the Write list.
func (h *Header) written() int {
	if n := len(h.Writes); n > 0 {
		return h.Writes[n-1].First + h.Writes[n-1].Count
	}
	return 0
}

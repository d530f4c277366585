package build

// The message types of RPC-over-RDMA version 1 (RFC 8166, section 4.2) and the
// errors of an RDMA_ERROR.
const (
	MSG   = 0
	NOMSG = 1
	MSGP  = 2
	DONE  = 3
	ERROR = 4

	ErrVers  = 1
	ErrChunk = 2
)

// A Segment is a piece of registered memory: an R_key or STag, bytes, and
// where it begins.
type Segment struct {
	Handle, Length uint32
	Offset         uint64
}

// A ReadSegment is an entry of the Read list; Position is in bytes of the
// unreduced RPC message.
type ReadSegment struct {
	Position uint32
	Segment
}

// Header is an RPC-over-RDMA version 1 transport header (RFC 8166, section 4).
type Header struct {
	XID     uint32
	Vers    uint32 // 0 is written as 1
	Credits uint32
	Proc    uint32
	// Align and Thresh are written with MSGP.
	Align, Thresh uint32
	Reads         []ReadSegment
	// Writes has one list of segments a Write chunk; an empty one is written
	// as a chunk of no segments.
	Writes [][]Segment
	// Reply is the Reply chunk; nil for none, empty for one of no segments.
	Reply []Segment
	// Err is written with ERROR, Low and High with ErrVers.
	Err, Low, High uint32
}

// Bytes is the header as it stands at the front of a Send.
func (h Header) Bytes() []byte {
	b := appendWords(nil, h.XID, or(h.Vers, 1), h.Credits, h.Proc)
	switch h.Proc {
	case DONE:
		return b
	case ERROR:
		b = appendWords(b, h.Err)
		if h.Err == ErrVers {
			b = appendWords(b, h.Low, h.High)
		}
		return b
	case MSGP:
		b = appendWords(b, h.Align, h.Thresh)
	}
	for _, r := range h.Reads {
		b = appendSegment(appendWords(b, 1, r.Position), r.Segment)
	}
	b = appendWords(b, 0)
	for _, chunk := range h.Writes {
		b = appendChunk(b, chunk)
	}
	b = appendWords(b, 0)
	if h.Reply == nil {
		return appendWords(b, 0)
	}
	return appendChunk(b, h.Reply)
}

// With is a whole transport message: the header and an RPC message after it.
func (h Header) With(rpc []byte) []byte { return append(h.Bytes(), rpc...) }

// appendChunk writes a counted array of segments that is there.
func appendChunk(b []byte, segments []Segment) []byte {
	b = appendWords(b, 1, uint32(len(segments)))
	for _, s := range segments {
		b = appendSegment(b, s)
	}
	return b
}

func appendSegment(b []byte, s Segment) []byte {
	return appendHyper(appendWords(b, s.Handle, s.Length), s.Offset)
}

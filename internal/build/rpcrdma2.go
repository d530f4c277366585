package build

// RPC-over-RDMA version 2 (draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2):
// RDMA2_MSG, RDMA2_NOMSG and RDMA2_ERROR have the numbers of MSG, NOMSG and ERROR.
const (
	OPTIONAL = 5

	Err2BadXDR        = 2
	Err2CantReply     = 3
	Err2InvalidProc   = 4
	Err2InvalidOption = 5

	DirectionCall  = 0
	DirectionReply = 1
)

// Header2 is an RPC-over-RDMA version 2 transport header.
type Header2 struct {
	XID     uint32
	Vers    uint32 // 0 is written as 2
	Credits uint32
	Proc    uint32
	// Direction is rdma_direction, rdma_optdir, or with DirectedError what stands
	// before rdma_err.
	Direction uint32
	// InvHandle and the three lists, as in Header, are written with MSG and NOMSG.
	InvHandle uint32
	Reads     []ReadSegment
	Writes    [][]Segment
	Reply     []Segment
	// Err is written with ERROR, Low and High with ErrVers, the others with
	// Err2CantReply. DirectedError puts Direction before Err, as section 4.2 has it
	// in words.
	Err, Low, High                        uint32
	Processed, SegmentIndex, LengthNeeded uint32
	DirectedError                         bool
	// Option and Info are rdma_opttype and rdma_optinfo of OPTIONAL.
	Option uint32
	Info   []byte
}

// Bytes is the header as it stands at the front of a Send.
func (h Header2) Bytes() []byte {
	b := appendWords(nil, h.XID, or(h.Vers, 2), h.Credits, h.Proc)
	switch h.Proc {
	case ERROR:
		return h.appendError(b)
	case OPTIONAL:
		return appendOpaque(appendWords(b, h.Direction, h.Option), h.Info)
	}
	b = appendWords(b, h.Direction, h.InvHandle)
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

func (h Header2) appendError(b []byte) []byte {
	if h.DirectedError {
		b = appendWords(b, h.Direction)
	}
	b = appendWords(b, h.Err)
	switch h.Err {
	case ErrVers:
		b = appendWords(b, h.Low, h.High)
	case Err2CantReply:
		b = appendWords(b, h.Processed, h.SegmentIndex, h.LengthNeeded)
	}
	return b
}

// With is a whole transport message: the header and an RPC message after it.
func (h Header2) With(rpc []byte) []byte { return append(h.Bytes(), rpc...) }

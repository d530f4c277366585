package iwarp

import "encoding/binary"

// The sizes of the messages that have no other, in bytes of payload.
const (
	ReadRequestSize = 28 // RFC 5040 section 4.4
	ImmediateSize   = 8  // RFC 7306 section 6.2
)

// A ReadRequest is the header of an RDMA Read Request (RFC 5040 section 4.4):
// who receives it sends Size bytes from the source to the sink. The sink is a
// buffer of the sender's, the source one that the receiver advertised.
type ReadRequest struct {
	SinkSTag   uint32 // of the buffer that is written
	SinkTO     uint64 // byte offset in it
	Size       uint32 // bytes
	SourceSTag uint32 // of the buffer that is read
	SourceTO   uint64 // byte offset in it
}

// ReadRequest reads the header of an RDMA Read Request, if that is what the
// segment is and all of it was captured.
func (p *PDU) ReadRequest() (r ReadRequest, ok bool) {
	b, ok := p.message(OpReadRequest)
	if !ok {
		return r, false
	}
	return readRequest(b), true
}

// readRequest reads ReadRequestSize bytes.
func readRequest(b []byte) ReadRequest {
	return ReadRequest{
		SinkSTag:   binary.BigEndian.Uint32(b),
		SinkTO:     binary.BigEndian.Uint64(b[4:]),
		Size:       binary.BigEndian.Uint32(b[12:]),
		SourceSTag: binary.BigEndian.Uint32(b[16:]),
		SourceTO:   binary.BigEndian.Uint64(b[20:]),
	}
}

// Immediate is the eight bytes of Immediate Data as a big-endian number (RFC
// 7306 section 6.2), if that is what the segment is and all were captured.
func (p *PDU) Immediate() (v uint64, ok bool) {
	b, ok := p.message(OpImmediate)
	if !ok {
		if b, ok = p.message(OpImmediateSE); !ok {
			return 0, false
		}
	}
	return binary.BigEndian.Uint64(b), true
}

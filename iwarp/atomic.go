package iwarp

import (
	"encoding/binary"
	"strconv"
)

// The sizes of the headers of Atomic Operations, in bytes of payload.
const (
	AtomicRequestSize  = 52 // RFC 7306 section 5.2.1
	AtomicResponseSize = 12 // RFC 7306 section 5.2.2
)

// An AtomicOp is the operation of an Atomic Request, four bits (RFC 7306
// section 5.2.1).
type AtomicOp uint8

// The operations that RFC 7306 defines; all other values are reserved.
const (
	AtomicFetchAdd AtomicOp = 0
	AtomicCmpSwap  AtomicOp = 2
)

// String is "FetchAdd", "CmpSwap" or "reserved operation 1".
func (o AtomicOp) String() string {
	switch o {
	case AtomicFetchAdd:
		return "FetchAdd"
	case AtomicCmpSwap:
		return "CmpSwap"
	}
	return "reserved operation " + strconv.Itoa(int(o))
}

// An AtomicRequest is the header of an Atomic Request (RFC 7306 section 5.2.1).
// A FetchAdd does not use Compare and CompareMask.
type AtomicRequest struct {
	Op          AtomicOp // the low four bits of its first word
	ID          uint32   // Request Identifier, which the response repeats
	STag        uint32   // Remote STag: of the buffer that holds the value
	TO          uint64   // Remote Tagged Offset: byte offset of the value in it
	Data        uint64   // what is added or stored
	DataMask    uint64   // which bits are stored; of a FetchAdd, where carries stop
	Compare     uint64   // what the value has to be for Data to be stored
	CompareMask uint64   // which bits are compared
}

// AtomicRequest reads the header of an Atomic Request, if that is what the
// segment is and all of it was captured.
func (p *PDU) AtomicRequest() (r AtomicRequest, ok bool) {
	b, ok := p.message(OpAtomicRequest)
	if !ok {
		return r, false
	}
	return AtomicRequest{
		Op:          AtomicOp(b[3] & 0x0F), // after 28 reserved bits
		ID:          binary.BigEndian.Uint32(b[4:]),
		STag:        binary.BigEndian.Uint32(b[8:]),
		TO:          binary.BigEndian.Uint64(b[12:]),
		Data:        binary.BigEndian.Uint64(b[20:]),
		DataMask:    binary.BigEndian.Uint64(b[28:]),
		Compare:     binary.BigEndian.Uint64(b[36:]),
		CompareMask: binary.BigEndian.Uint64(b[44:]),
	}, true
}

// An AtomicResponse is the header of an Atomic Response (RFC 7306 section
// 5.2.2).
type AtomicResponse struct {
	ID       uint32 // Original Request Identifier
	Original uint64 // Original Remote Data Value: the value before the operation
}

// AtomicResponse reads the header of an Atomic Response, if that is what the
// segment is and all of it was captured.
func (p *PDU) AtomicResponse() (r AtomicResponse, ok bool) {
	b, ok := p.message(OpAtomicResponse)
	if !ok {
		return r, false
	}
	return AtomicResponse{ID: binary.BigEndian.Uint32(b), Original: binary.BigEndian.Uint64(b[4:])}, true
}

package iwarp

import "github.com/rdmacap/rdmacap/field"

const (
	// StartSize is the number of bytes of an MPA Request or Reply frame before
	// its private data (RFC 5044 section 7.1.1).
	StartSize = 20
	// MaxPrivateData is the most bytes of private data that a frame may have.
	// What the enhanced setup takes of them counts (RFC 5044 section 7.1.1).
	MaxPrivateData = 512
	// Port is the TCP port of NFS/RDMA (RFC 8267 section 9).
	Port = 20049
)

// The keys that the frames begin with (RFC 5044 section 7.1.1). They differ in
// one byte.
const (
	keyRequest = "MPA ID Req Frame"
	keyReply   = "MPA ID Rep Frame"
	keySize    = len(keyRequest)
)

// The flags of a frame, its byte 16 (RFC 5044 section 7.1.1; S: RFC 6581
// section 6). The other four bits are reserved.
const (
	flagMarkers  = 0x80
	flagCRC      = 0x40
	flagReject   = 0x20
	flagEnhanced = 0x10

	flagsReserved = 0x0F
)

const (
	// enhancedSize is the number of bytes that the enhanced setup takes at
	// the front of the private data (RFC 6581 section 9).
	enhancedSize = 4
	// enhancedRevision is the first revision of MPA in which S has a meaning;
	// before it the bit is reserved.
	enhancedRevision = 2
	// depthMask is the bits of IRD and ORD in their 16, the others being flags.
	depthMask = 0x3FFF
	// depthOpen is the IRD or ORD of an end that leaves it to its consumer.
	depthOpen = 0x3FFF
)

// A Start is an MPA Request or Reply frame, the first bytes that its sender
// puts in the TCP stream (RFC 5044 section 7.1, RFC 6581). Decode fills the
// same Start again and allocates nothing; the bytes stay the caller's.
//
//	initiator                                 responder
//	  ├── MPA Request  M, C, IRD, ORD ──────────>│
//	  │<── MPA Reply   M, C, IRD, ORD ───────────┤   or R: rejected
//	  ├── FPDU: the first is the initiator's ───>│
//	  │<── FPDUs ────────────────────────────────┤
//
// Each end's M is about what the other end sends. CRCs are in use both ways if
// either frame has C.
type Start struct {
	// Fault is the first thing wrong, with its byte in Bytes.
	Fault field.Fault
	// Reply is true for an MPA Reply, false for an MPA Request.
	Reply bool
	// Markers is M: the sender wants markers in the FPDUs that it receives.
	// CRC is C: it wants CRCs. Reject is R, which counts in a Reply only.
	// Enhanced is S, which counts from revision 2 on.
	Markers, CRC, Reject, Enhanced bool
	// Flags is the whole byte that the four stand in.
	Flags uint8
	// Revision of MPA: 1 (RFC 5044) or 2 (RFC 6581). Another is no fault here:
	// whether to go on with it is the receiver's choice.
	Revision uint8
	// PDLength is PD_Length as stated: bytes of private data.
	PDLength int
	// Bytes is what was decoded, from the key to the end of the private data,
	// as far as it was captured.
	Bytes []byte
	// HasDepths says that what follows was there: S, revision 2 or later, and
	// the first four bytes of the private data.
	HasDepths bool
	// PeerToPeer, ZeroSend, ZeroWrite and ZeroRead are the control flags A to D
	// (RFC 6581 section 9): the responder may be the first to send, so the
	// initiator makes it ready with a message of no bytes, of one of the kinds
	// that the other three allow.
	PeerToPeer, ZeroSend, ZeroWrite, ZeroRead bool
	// IRD and ORD are how many RDMA Reads the sender takes, and issues, at a
	// time; 14 bits each, all ones where MPA is not to negotiate it.
	IRD, ORD uint16
}

// LooksLikeStart reports whether b begins with the key of an MPA Request or
// Reply frame or, if b is shorter than the key (16 bytes) and not empty, with a
// part of one.
func LooksLikeStart(b []byte) bool {
	return len(b) > 0 && keyLength(b) == min(len(b), keySize)
}

// Starts reports whether a TCP payload begins with all that an MPA Request or Reply frame
// has before its private data.
func Starts(payload []byte) bool { return len(payload) >= StartSize && LooksLikeStart(payload) }

// IsPort reports whether a TCP port is one of iWARP: Port, or another that is known to
// carry it, 0 for none.
func IsPort(p, other uint16) bool { return p == Port || p == other && p != 0 }

// keyLength is how many bytes at the front of b are as in one of the keys, at
// most all 16. The keys differ in one byte, so byte by byte is enough.
func keyLength(b []byte) int {
	n := 0
	for n < min(len(b), keySize) && (b[n] == keyRequest[n] || b[n] == keyReply[n]) {
		n++
	}
	return n
}

// PrivateData is the consumer's private data: what the frame carries without
// the four bytes of the enhanced setup. It is not nil, but perhaps empty, if
// all of it was captured, and nil otherwise.
func (s *Start) PrivateData() []byte {
	end := StartSize + s.PDLength
	if len(s.Bytes) < StartSize || s.PDLength > MaxPrivateData || len(s.Bytes) < end {
		return nil
	}
	return s.Bytes[min(s.PrivateDataOffset(), end):end:end]
}

// Negotiated is what IRD and ORD are worth: n, and whether it is a number of RDMA
// Reads. It is none where the sender left it to its consumer.
func Negotiated(depth uint16) (n int, ok bool) { return int(depth), depth != depthOpen }

// PrivateDataOffset is the offset of the consumer's private data in the frame. It
// lies beyond the frame where the private data is too short for the enhanced
// setup that S announces.
func (s *Start) PrivateDataOffset() int {
	if s.enhanced() {
		return StartSize + enhancedSize
	}
	return StartSize
}

// enhanced reports whether the private data begins with the enhanced setup.
func (s *Start) enhanced() bool { return s.Enhanced && s.Revision >= enhancedRevision }

package build

import "encoding/binary"

// The RDMAP opcodes (RFC 5040, section 4.1; RFC 7306): the low four bits of the
// second byte of a DDP segment.
const (
	RDMAPWrite            = 0x0
	RDMAPReadRequest      = 0x1
	RDMAPReadResponse     = 0x2
	RDMAPSend             = 0x3
	RDMAPSendInvalidate   = 0x4
	RDMAPSendSE           = 0x5
	RDMAPSendSEInvalidate = 0x6
	RDMAPTerminate        = 0x7
	RDMAPImmediate        = 0x8
	RDMAPImmediateSE      = 0x9
	RDMAPAtomicRequest    = 0xa
	RDMAPAtomicResponse   = 0xb
)

// The queues of the untagged model (RFC 5040, section 4.1; RFC 7306): Sends and
// Immediate Data, RDMA Read Requests and Atomic Requests, Terminates, Atomic
// Responses.
const (
	QueueSend           = 0
	QueueReadRequest    = 1
	QueueTerminate      = 2
	QueueAtomicResponse = 3
)

// What an FPDU carries: a DDP segment with the RDMAP control field in it,
// versions 1, reserved bits 0 (RFC 5041, section 4; RFC 5040, section 4.1).
//
//	+---------+---------+----------------+--------------------+------------------+---------
//	| T L  DV | RV  op. | STag (4)       | TO (8)             | payload
//	+---------+---------+----------------+--------------------+------------------+---------
//	| 0 L  DV | RV  op. | Invalidate (4) | QN (4)   | MSN (4) | MO (4)           | payload
//	+---------+---------+----------------+--------------------+------------------+---------
type (
	// Tagged is a segment that says where its bytes go: 14 bytes and the payload.
	Tagged struct {
		OpCode  uint8 // 4 bits
		Last    bool
		STag    uint32
		TO      uint64
		Payload []byte
	}
	// Untagged is a segment for a queue of the receiver: 18 bytes and the payload.
	Untagged struct {
		OpCode      uint8 // 4 bits
		Last        bool
		Invalidate  uint32 // the STag that opcodes 4 and 6 invalidate, else 0
		QN, MSN, MO uint32 // MSN from 1; MO in bytes from the message's first
		Payload     []byte
	}
)

const (
	taggedLength   = 14
	untaggedLength = 18
)

// Bytes is the segment as the ULPDU of an FPDU.
func (s Tagged) Bytes() []byte {
	b := binary.BigEndian.AppendUint32(ddpControl(true, s.Last, s.OpCode), s.STag)
	return append(binary.BigEndian.AppendUint64(b, s.TO), s.Payload...)
}

// Bytes is the segment as the ULPDU of an FPDU.
func (s Untagged) Bytes() []byte {
	b := appendWords(ddpControl(false, s.Last, s.OpCode), s.Invalidate, s.QN, s.MSN, s.MO)
	return append(b, s.Payload...)
}

// ddpControl is the two control bytes that every segment begins with.
func ddpControl(tagged, last bool, opcode uint8) []byte {
	const version1 = 1
	return []byte{flag(tagged, 0x80) | flag(last, 0x40) | version1, version1<<6 | opcode&0xf}
}

// flag is mask if set, else 0.
func flag(set bool, mask byte) byte {
	if set {
		return mask
	}
	return 0
}

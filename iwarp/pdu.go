package iwarp

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// The sizes of the DDP headers with their RDMAP byte, in bytes.
const (
	TaggedSize   = 14 // RFC 5041 section 4.2
	UntaggedSize = 18 // RFC 5041 section 4.3
)

// A PDU is one DDP segment with its RDMAP control field: what an FPDU carries,
// the ULPDU. Decode fills the same PDU again and allocates nothing; the bytes
// stay the caller's.
type PDU struct {
	// Fault is the first thing wrong, with its byte in Bytes.
	Fault field.Fault
	// OpCode says which RDMAP message the segment is part of.
	OpCode OpCode
	// Tagged and Last are the bits T and L of the DDP control byte.
	Tagged, Last bool
	// DV and RV are the versions of DDP and of RDMAP, 1 both.
	DV, RV uint8
	// STag and TO are the buffer and the offset in it where the payload goes.
	// They are those of a tagged segment, as all others below are those of an
	// untagged one.
	STag uint32
	TO   uint64
	// Invalidate is the four bytes that DDP leaves to its user: with the
	// opcodes that say so, the STag that the receiver is to invalidate.
	Invalidate uint32
	// QN, MSN and MO are the queue, the number of the message in it and the
	// offset of the payload in the message, in bytes.
	QN, MSN, MO uint32
	// Bytes is the ULPDU as far as it was captured.
	Bytes []byte
	// PayloadStart is the offset of the payload in Bytes, the size of the
	// header; it may lie beyond Bytes.
	PayloadStart int

	length int // on the wire
}

// The bits of the first two bytes (RFC 5041 section 4.1, RFC 5040 section 4.1).
const (
	bitTagged   = 0x80
	bitLast     = 0x40
	ddpReserved = 0x3C
	ddpVersion  = 0x03

	rdmapReserved = 0x30
	rdmapOpCode   = 0x0F

	version1 = 1 // of DDP and of RDMAP
)

// Decode reads the DDP segment that b holds as far as it was captured. Length
// is the number of its bytes on the wire, the ULPDU_Length; where b is longer,
// the rest of b is ignored.
//
// A segment that the snap length cut in its payload is no fault, and
// PayloadLength is that on the wire; one that was cut in its header is, and so
// is one whose payload is a header of RDMAP's and was cut. The fields after the
// first two bytes are zero unless the whole DDP header is there.
func (p *PDU) Decode(b []byte, length int) {
	length = max(length, 0)
	b = b[:min(len(b), length)]
	*p = PDU{} // a literal would be put together elsewhere and copied
	p.Bytes, p.PayloadStart, p.length = b, length, length
	if !p.readHeader() || p.DV != version1 || p.RV != version1 || !p.OpCode.Known() || ops[p.OpCode].tagged != p.Tagged || p.QN != ops[p.OpCode].qn || ops[p.OpCode].single() {
		p.examine()
	}
}

// readHeader reads as much of the header as is there, and reports whether that
// is all of it. Where the wire has less than all of it, there is no payload.
func (p *PDU) readHeader() (whole bool) {
	b := p.Bytes
	if len(b) == 0 {
		return false
	}
	p.Tagged = b[0]&bitTagged != 0
	p.Last = b[0]&bitLast != 0
	p.DV = b[0] & ddpVersion
	size := p.headerSize()
	p.PayloadStart = min(size, p.length)
	if len(b) < 2 {
		return false
	}
	p.RV = b[1] >> 6
	p.OpCode = OpCode(b[1] & rdmapOpCode)
	switch {
	case len(b) < size:
	case p.Tagged:
		p.STag = binary.BigEndian.Uint32(b[2:])
		p.TO = binary.BigEndian.Uint64(b[6:])
	default:
		p.Invalidate = binary.BigEndian.Uint32(b[2:])
		p.QN = binary.BigEndian.Uint32(b[6:])
		p.MSN = binary.BigEndian.Uint32(b[10:])
		p.MO = binary.BigEndian.Uint32(b[14:])
	}
	return len(b) >= size
}

// headerSize is the size of the header that the bit T says the segment has.
func (p *PDU) headerSize() int {
	if p.Tagged {
		return TaggedSize
	}
	return UntaggedSize
}

// sound reports whether the whole header is there and nothing is wrong with it,
// so that its fields and what follows mean what they seem to.
func (p *PDU) sound() bool {
	size := p.headerSize()
	return len(p.Bytes) >= size && !(p.Fault.Bad() && p.Fault.Offset < size)
}

// examine finds the first thing wrong with a segment that is not as most are.
// What stands after it may be right or not, and is not looked at.
func (p *PDU) examine() {
	n, size := len(p.Bytes), p.headerSize()
	fault := func(at int, reason string) { p.Fault = field.Fault{Offset: at, Reason: reason} }
	switch {
	case n > 0 && p.DV != version1:
		fault(0, "DDP version is not 1")
	case n > 1 && p.RV != version1:
		fault(1, "RDMAP version is not 1")
	case n > 1 && !p.OpCode.Known():
		fault(1, "reserved RDMAP opcode")
	case n > 1 && p.Tagged && !p.OpCode.Tagged():
		fault(0, "tagged segment of a message that must be untagged")
	case n > 1 && !p.Tagged && p.OpCode.Tagged():
		fault(0, "untagged segment of a message that must be tagged")
	case p.length == 0:
		fault(0, "ULPDU is empty and no DDP segment")
	case n > 0 && p.length < size && n == p.length:
		fault(n, "ULPDU ends within the DDP header")
	case n == 0 || n < size:
		fault(n, "DDP header cut short")
	case p.QN != p.OpCode.QN():
		fault(6, "QN is not the queue of the opcode")
	case ops[p.OpCode].single():
		p.examineSingle()
	}
}

// examineSingle is examine for the messages whose payload is a header of
// RDMAP's, in one segment.
func (p *PDU) examineSingle() {
	op := &ops[p.OpCode]
	payload, captured := p.PayloadLength(), len(p.Payload())
	fault := func(at int, reason string) { p.Fault = field.Fault{Offset: at, Reason: reason} }
	switch {
	case !p.Last:
		fault(0, "L is not set in a message of one segment")
	case p.MO != 0:
		fault(14, "MO is not 0 in a message of one segment")
	case payload < op.least || payload > op.most:
		fault(p.PayloadStart, op.wrongLength)
	case p.OpCode == OpTerminate && captured >= TerminateMin && !fits(p.Payload(), payload):
		fault(p.PayloadStart, op.wrongLength)
	case captured < payload:
		fault(len(p.Bytes), op.cutShort)
	}
}

// Payload is the captured part of the payload, nil if there is none.
func (p *PDU) Payload() []byte {
	if p.PayloadStart >= len(p.Bytes) {
		return nil
	}
	return p.Bytes[p.PayloadStart:]
}

// PayloadLength is the number of payload bytes on the wire, which is more than
// len(Payload()) where the capture cut the segment. It is 0 where the header
// is not whole on the wire, and where not one byte of it was captured.
func (p *PDU) PayloadLength() int { return p.length - p.PayloadStart }

// message is the payload of a segment of that opcode on the wire and as far as
// it was captured, if nothing is wrong with the header before it.
func (p *PDU) message(op OpCode) (payload []byte, ok bool) {
	if p.OpCode != op || !p.sound() {
		return nil, false
	}
	return p.Payload(), len(p.Payload()) >= ops[op].least && p.PayloadLength() <= ops[op].most
}

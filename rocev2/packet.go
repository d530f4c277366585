package rocev2

import (
	"encoding/binary"
	"math"
)

// A Packet is the InfiniBand transport part of one frame, BTH to ICRC, as
// offsets and scalars. Decode fills the same Packet again and allocates
// nothing; the bytes stay the caller's.
//
// It is part of what is kept of every frame, so it is small: what follows from
// the opcode, and the rare bits of the BTH, are read when they are asked for.
type Packet struct {
	// Bytes is what was decoded: BTH to ICRC, as far as it was captured.
	Bytes []byte
	// DestQP and PSN are the 24-bit fields of the BTH.
	DestQP, PSN uint32
	// ICRC is the ICRC that the packet carries, as ICRC returns it, if CheckICRC
	// looked at it and Check is not ICRCUnchecked; otherwise 0.
	ICRC uint32

	payloadEnd uint32
	length     uint32 // on the wire, BTH to ICRC

	// OpCode is the whole first byte of the BTH.
	OpCode OpCode
	// Check is what CheckICRC found.
	Check   ICRCState
	fault   faultCode
	faultAt uint8
}

// MaxSize is how many bytes a packet has at most, as Decode believes.
const MaxSize = math.MaxInt32

// PayloadStart and PayloadEnd bound the payload without padding, as offsets in
// Bytes; where the snap length cut the frame, PayloadEnd may lie beyond them.
func (p *Packet) PayloadStart() int {
	// A packet that ends in its headers has no payload, and ends there.
	return int(min(uint32(opcodes[p.OpCode].size), p.payloadEnd))
}

// PayloadEnd is where the payload ends, see PayloadStart.
func (p *Packet) PayloadEnd() int { return int(p.payloadEnd) }

// Payload is the captured part of the payload, without padding.
func (p *Packet) Payload() []byte {
	start, end := p.PayloadStart(), min(p.PayloadEnd(), len(p.Bytes))
	if start >= end {
		return nil
	}
	return p.Bytes[start:end]
}

// PayloadLength is the number of payload bytes on the wire, which is more
// than len(Payload()) where the snap length cut the frame.
func (p *Packet) PayloadLength() int { return p.PayloadEnd() - p.PayloadStart() }

// offset is where the extended header with that bit number begins, 0 where there
// is none and where it was not captured whole.
func (p *Packet) offset(h, size int) int {
	at := int(opcodes[p.OpCode].at[h])
	if at+size > len(p.Bytes) {
		return 0
	}
	return at
}

// AETH is the offset of that header in Bytes, 0 where there is none and where it
// was not captured whole. So are the others below.
func (p *Packet) AETH() int { return p.offset(6, 4) }

// RETH is the offset of that header, as AETH has it.
func (p *Packet) RETH() int { return p.offset(4, 16) }

// IETH is the offset of that header, as AETH has it.
func (p *Packet) IETH() int { return p.offset(9, 4) }

// ImmDt is the offset of that header, as AETH has it.
func (p *Packet) ImmDt() int { return p.offset(8, 4) }

// DETH is the offset of that header, as AETH has it.
func (p *Packet) DETH() int { return p.offset(1, 8) }

// XRCETH is the offset of that header, as AETH has it.
func (p *Packet) XRCETH() int { return p.offset(2, 4) }

// RDETH is the offset of that header, as AETH has it.
func (p *Packet) RDETH() int { return p.offset(0, 4) }

// FETH is the offset of that header, as AETH has it.
func (p *Packet) FETH() int { return p.offset(3, 4) }

// Atomic is the offset of the AtomicETH, as AETH has it.
func (p *Packet) Atomic() int { return p.offset(5, 28) }

// AtomicAck is the offset of the AtomicAckETH, as AETH has it.
func (p *Packet) AtomicAck() int { return p.offset(7, 8) }

// bit reports whether a bit of the BTH is set, 0 the most significant of its first
// byte; of a BTH that is not whole none is.
func (p *Packet) bit(n int) bool {
	return len(p.Bytes) >= BTHSize && p.Bytes[n/8]&(0x80>>(n%8)) != 0
}

// Solicited is the bit SE of the BTH: the receiver is to be woken.
func (p *Packet) Solicited() bool { return p.bit(8) }

// MigReq is the bit M of the BTH: the path migration state.
func (p *Packet) MigReq() bool { return p.bit(9) }

// FECN is set in a packet that met congestion (Annex A17).
func (p *Packet) FECN() bool { return p.bit(32) }

// BECN is set in a packet that tells its receiver of congestion on the way there.
func (p *Packet) BECN() bool { return p.bit(33) }

// AckReq is the bit A of the BTH: the requester wants an acknowledgement.
func (p *Packet) AckReq() bool { return p.bit(64) }

// PadCnt is the number of pad bytes between payload and ICRC (0 to 3).
func (p *Packet) PadCnt() uint8 {
	if len(p.Bytes) < BTHSize {
		return 0
	}
	return p.Bytes[1] >> 4 & 3
}

// PKey is the partition key.
func (p *Packet) PKey() uint16 {
	if len(p.Bytes) < BTHSize {
		return 0
	}
	return binary.BigEndian.Uint16(p.Bytes[2:])
}

package rocev2

import "github.com/rdmacap/rdmacap/field"

// A Packet is the InfiniBand transport part of one frame, BTH to ICRC, as
// offsets and scalars. Decode fills the same Packet again and allocates
// nothing; the octets stay the caller's.
//
// The fields stand in the order of how often they are looked at.
type Packet struct {
	// Fault is the first thing wrong, with its octet in Octets.
	Fault field.Fault
	// OpCode is the whole first octet of the BTH.
	OpCode OpCode
	// Solicited, MigReq and AckReq are the bits SE, M and A of the BTH; FECN
	// and BECN those of RoCEv2's congestion control.
	Solicited, MigReq, AckReq, FECN, BECN bool
	// PadCnt is the number of pad octets between payload and ICRC (0 to 3).
	PadCnt uint8
	// PKey is the partition key.
	PKey uint16
	// DestQP and PSN are the 24-bit fields of the BTH.
	DestQP, PSN uint32
	// Octets is what was decoded: BTH to ICRC, as far as it was captured.
	Octets []byte
	// PayloadStart and PayloadEnd bound the payload without padding; where
	// the snap length cut the frame, PayloadEnd may lie beyond Octets.
	PayloadStart, PayloadEnd int
	// AETH, RETH, IETH, ImmDt, DETH, XRCETH, RDETH, FETH, Atomic and AtomicAck
	// are the offsets of the extended headers in Octets, 0 where there is none
	// and where it was not captured whole.
	AETH, RETH, IETH, ImmDt, DETH, XRCETH, RDETH, FETH, Atomic, AtomicAck int

	length int // on the wire, BTH to ICRC
}

// Payload is the captured part of the payload, without padding.
func (p *Packet) Payload() []byte {
	end := min(p.PayloadEnd, len(p.Octets))
	if p.PayloadStart >= end {
		return nil
	}
	return p.Octets[p.PayloadStart:end]
}

// PayloadLength is the number of payload octets on the wire, which is more
// than len(Payload()) where the snap length cut the frame.
func (p *Packet) PayloadLength() int { return p.PayloadEnd - p.PayloadStart }

package rocev2

import (
	"encoding/binary"
	"math/bits"

	"github.com/rdmacap/rdmacap/capture/link"
)

// The invariant CRC is CRC-32 as Ethernet has it, over the packet as it would
// look if routers and switches changed nothing: fields that they may change
// count as all ones (IBA 7.8.1; Annexes A16 and A17 for RoCE).
//
//	covered                   all ones
//	LRH, without a GRH after  VL
//	LRH, with a GRH; or none  the whole LRH (RoCE has a dummy)
//	GRH                       TClass, FlowLabel, HopLmt
//	IPv4 header, options      TOS, TTL, header checksum
//	IPv6 header, extensions   traffic class, flow label, hop limit
//	UDP header                checksum
//	BTH                       byte 4 (FECN, BECN, reserved)
//	extended headers to pad   none
//
// There are two ways to it: sumByTables knows all of this, on every processor.
// sumByMultiplying takes half the time, for nearly all frames of a RoCE
// network, on processors that can multiply polynomials.

// Masks of eight bytes each, as little-endian numbers: the first byte of the
// header is the lowest.
const (
	maskLRH   = 0x00000000_000000F0 // VL: upper half of byte 0
	maskIPv6  = 0xFF000000_FFFFFF0F // class and label: bytes 0 to 3 but the version; hop limit: byte 7
	maskIPv4a = 0x00000000_0000FF00 // TOS: byte 1
	maskIPv4b = 0x00000000_FFFF00FF // TTL: byte 8; checksum: bytes 10 and 11
	maskUDP   = 0xFFFF0000_00000000 // checksum: bytes 6 and 7
	maskBTH   = 0x000000FF_00000000 // byte 4
)

// The sizes of the headers below the BTH, in bytes.
const lrhSize, grhSize, ipv4Size, ipv6Size, udpSize = 8, 40, 20, 40, 8

// afterOnes is the CRC of eight bytes of ones, a masked or dummy LRH.
const afterOnes = 0x2144DF1C

// ICRC computes the ICRC of the frame whose lower layers p describes, and
// reads the one that it carries. Both are the four bytes on the wire as a
// big-endian number, as packet dissectors show them; the CRC-32 itself is sent
// least significant byte first, so it is this number with its bytes reversed.
//
// It uses p's Transport, Network, GRH, Start and End. Ok is false where there
// is nothing to compare: the frame was not captured whole, is not an
// InfiniBand transport packet, or p's offsets do not fit one.
func ICRC(frame []byte, p *link.Packet) (computed, carried uint32, ok bool) {
	start, end := p.Start(), p.End()
	if end > len(frame) || end-start < BTHSize+ICRCSize {
		return 0, 0, false
	}
	crc, ok := sumByMultiplying(frame[:end-ICRCSize], p)
	if !ok {
		crc, ok = sumByTables(frame[:end-ICRCSize], p)
	}
	if !ok {
		return 0, 0, false
	}
	return bits.ReverseBytes32(crc), binary.BigEndian.Uint32(frame[end-ICRCSize:]), true
}

// An ICRCState says what the check of a packet's ICRC gave.
type ICRCState uint8

const (
	ICRCUnchecked ICRCState = iota // the frame was not captured whole
	ICRCRight
	ICRCWrong
)

// String is "right", "wrong" or "unchecked".
func (s ICRCState) String() string {
	return [...]string{ICRCUnchecked: "unchecked", ICRCRight: "right", ICRCWrong: "wrong"}[s]
}

// CheckICRC computes the ICRC of the frame that the packet was decoded from, and
// sets ICRC and Check.
func (p *Packet) CheckICRC(frame []byte, lower *link.Packet) {
	computed, carried, ok := ICRC(frame, lower)
	p.ICRC = carried
	switch {
	case !ok:
		p.Check = ICRCUnchecked
	case computed == carried:
		p.Check = ICRCRight
	default:
		p.Check = ICRCWrong
	}
}

// SetICRC writes the right ICRC into the frame. It reports false, and writes
// nothing, where ICRC could not compute one.
func SetICRC(frame []byte, p *link.Packet) bool {
	computed, _, ok := ICRC(frame, p)
	if ok {
		binary.BigEndian.PutUint32(frame[p.End()-ICRCSize:], computed)
	}
	return ok
}

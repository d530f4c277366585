package rocev2

import (
	"encoding/binary"
	"hash/crc32"

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
//	BTH                       octet 4 (FECN, BECN, reserved)
//	extended headers to pad   none
//
// All masked octets lie in the first eight of a header (or of IPv4, sixteen),
// so the sum runs over words with ones or-ed in and, between them, over the
// frame as it is: nothing is copied.

// Masks of eight octets each, as little-endian numbers: the first octet of the
// header is the lowest.
const (
	maskLRH   = 0x00000000_000000F0 // VL: upper half of octet 0
	maskIPv6  = 0xFF000000_FFFFFF0F // class and label: octets 0 to 3 but the version; hop limit: octet 7
	maskIPv4a = 0x00000000_0000FF00 // TOS: octet 1
	maskIPv4b = 0x00000000_FFFF00FF // TTL: octet 8; checksum: octets 10 and 11
	maskUDP   = 0xFFFF0000_00000000 // checksum: octets 6 and 7
	maskBTH   = 0x000000FF_00000000 // octet 4
)

// The sizes of the headers below the BTH, in octets.
const lrhSize, grhSize, ipv4Size, ipv6Size, udpSize = 8, 40, 20, 40, 8

// afterOnes is the CRC of eight octets of ones, a masked or dummy LRH.
const afterOnes = 0x2144DF1C

// ICRC computes the ICRC of the frame whose lower layers p describes, and
// reads the one that it carries. Both are the four octets on the wire as a
// big-endian number, as packet dissectors show them; the CRC-32 itself is sent
// least significant octet first, so it is this number with its octets reversed.
//
// It uses p's Transport, Network, GRH, Start and End. Ok is false where there
// is nothing to compare: the frame was not captured whole, is not an
// InfiniBand transport packet, or p's offsets do not fit one.
func ICRC(frame []byte, p *link.Packet) (computed, carried uint32, ok bool) {
	start, end := p.Start(), p.End()
	if end > len(frame) || end-start < BTHSize+ICRCSize {
		return 0, 0, false
	}
	crc, ok := sumBelow(frame[:start], p)
	if !ok {
		return 0, 0, false
	}
	crc = sumWord(crc, frame[start:], maskBTH)
	crc = sum(crc, frame[start+8:end-ICRCSize])
	var wire [ICRCSize]byte
	binary.LittleEndian.PutUint32(wire[:], crc)
	return binary.BigEndian.Uint32(wire[:]), binary.BigEndian.Uint32(frame[end-ICRCSize:]), true
}

// An ICRCState says what the check of a packet's ICRC gave.
type ICRCState uint8

const (
	ICRCUnchecked ICRCState = iota // the frame was not captured whole
	ICRCRight
	ICRCWrong
)

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

// sumBelow is the CRC of what lies below the BTH: of the frame's octets from
// Network to its end.
func sumBelow(frame []byte, p *link.Packet) (uint32, bool) {
	switch p.Transport {
	case link.RoCEv2:
		return sumIP(frame, p.Network())
	case link.RoCEv1:
		return sumGRH(frame, p.Network())
	case link.InfiniBand:
		if at := p.GRH(); at >= 0 {
			return sumGRH(frame, at)
		}
		if len(frame)-p.Network() < lrhSize {
			return 0, false
		}
		crc := sumWord(0, frame[p.Network():], maskLRH)
		return sum(crc, frame[p.Network()+lrhSize:]), true
	}
	return 0, false
}

// sumGRH is the CRC of a masked LRH and of the GRH at offset at.
func sumGRH(frame []byte, at int) (uint32, bool) {
	if len(frame)-at < grhSize {
		return 0, false
	}
	crc := sumWord(afterOnes, frame[at:], maskIPv6)
	return sum(crc, frame[at+8:]), true
}

// sumIP is the CRC of a dummy LRH, the IP header at offset at with its options
// or extensions, and the UDP header that ends the frame.
func sumIP(frame []byte, at int) (uint32, bool) {
	udp := len(frame) - udpSize
	if udp-at < ipv4Size {
		return 0, false
	}
	var crc uint32
	switch frame[at] >> 4 {
	case 4:
		crc = sumWord(afterOnes, frame[at:], maskIPv4a)
		crc = sumWord(crc, frame[at+8:], maskIPv4b)
		crc = sum(crc, frame[at+16:udp])
	case 6:
		if udp-at < ipv6Size {
			return 0, false
		}
		crc = sumWord(afterOnes, frame[at:], maskIPv6)
		crc = sum(crc, frame[at+8:udp])
	default:
		return 0, false
	}
	return sumWord(crc, frame[udp:], maskUDP), true
}

// sum adds all of b to a CRC. What is shorter than crc32's fast path takes is
// summed here, word by word, without the cost of getting there.
func sum(crc uint32, b []byte) uint32 {
	const fast = 64
	if len(b) >= fast {
		return crc32.Update(crc, crc32.IEEETable, b)
	}
	for len(b) >= 8 {
		crc = sumWord(crc, b, 0)
		b = b[8:]
	}
	t := &wordTables
	if len(b) >= 4 {
		w := binary.LittleEndian.Uint32(b) ^ ^crc
		crc = ^(t[3][byte(w)] ^ t[2][byte(w>>8)] ^ t[1][byte(w>>16)] ^ t[0][byte(w>>24)])
		b = b[4:]
	}
	for _, octet := range b {
		crc = ^(t[0][byte(^crc)^octet] ^ ^crc>>8)
	}
	return crc
}

// sumWord adds the first eight octets of b to a CRC, with the mask's bits set.
// It goes through one table for each octet, all of them at once.
func sumWord(crc uint32, b []byte, mask uint64) uint32 {
	w := (binary.LittleEndian.Uint64(b) | mask) ^ uint64(^crc)
	t := &wordTables
	return ^(t[7][byte(w)] ^ t[6][byte(w>>8)] ^ t[5][byte(w>>16)] ^ t[4][byte(w>>24)] ^
		t[3][byte(w>>32)] ^ t[2][byte(w>>40)] ^ t[1][byte(w>>48)] ^ t[0][byte(w>>56)])
}

// wordTables[n] holds the CRC register after an octet and n octets of zeros;
// it is never written after it is made.
var wordTables = makeWordTables()

func makeWordTables() (t [8][256]uint32) {
	t[0] = *crc32.IEEETable
	for n := 1; n < len(t); n++ {
		for i, before := range t[n-1] {
			t[n][i] = t[0][byte(before)] ^ before>>8
		}
	}
	return t
}

package link

import (
	"encoding/binary"
	"math/bits"
)

// WrongTCPChecksum reports whether the checksum of a TCP segment is not that of its bytes (RFC 9293, section 3.1). It
// is false where that cannot be known: of a segment that was not captured whole, and where the field holds the sum of the pseudo
// header alone, or nothing, as it does on a host whose adapter is to fill it in.
func (p *Packet) WrongTCPChecksum(frame []byte) bool {
	return p.flags&rightSum == 0 && p.wrongTCPSum(frame)
}

// ShortSegment is how many bytes a TCP segment carries at most whose checksum CheckTCPSum looks at: most messages are as
// short.
const ShortSegment = 512

// CheckTCPSum computes the checksum of a short TCP segment before WrongTCPChecksum is asked, where the frame's bytes are
// at hand already. What it says is the same.
func (p *Packet) CheckTCPSum(frame []byte) {
	if n := p.End() - p.TCPData(); p.Transport == TCP && n > 0 && n <= ShortSegment && !p.wrongTCPSum(frame) {
		p.flags |= rightSum
	}
}

func (p *Packet) wrongTCPSum(frame []byte) bool {
	start, end, at := p.Start(), p.End(), p.Network()
	if p.Transport != TCP || p.TCP.size == 0 || end > len(frame) || at+ipv4Size > start || p.TCP.Checksum == 0 {
		return false
	}
	var addresses []byte
	switch frame[at] >> 4 {
	case 4:
		addresses = frame[at+12 : at+20]
	case 6:
		if at+ipv6Size > start {
			return false
		}
		addresses = frame[at+8 : at+40]
	default:
		return false
	}
	const protocolTCP = 6
	pseudo := folded(sum16(addresses) + protocolTCP + uint64(end-start))
	if p.TCP.Checksum == pseudo {
		return false
	}
	return folded(uint64(pseudo)+sum16(frame[start:end])) != 0xffff
}

// sum16 is a sum that folds to that of the 16-bit words of bytes, less than 2^34 of as many as a frame has. It adds
// 64 bits at a time with the carry around the end, which folds to the same (RFC 1071, section 2).
func sum16(b []byte) (sum uint64) {
	var carry uint64
	for ; len(b) >= 32; b = b[32:] {
		sum, carry = bits.Add64(sum, binary.BigEndian.Uint64(b), carry)
		sum, carry = bits.Add64(sum, binary.BigEndian.Uint64(b[8:]), carry)
		sum, carry = bits.Add64(sum, binary.BigEndian.Uint64(b[16:]), carry)
		sum, carry = bits.Add64(sum, binary.BigEndian.Uint64(b[24:]), carry)
	}
	for ; len(b) >= 8; b = b[8:] {
		sum, carry = bits.Add64(sum, binary.BigEndian.Uint64(b), carry)
	}
	sum, carry = bits.Add64(sum, 0, carry)
	sum = sum>>32 + sum&0xffffffff + carry
	for ; len(b) >= 2; b = b[2:] {
		sum += uint64(binary.BigEndian.Uint16(b))
	}
	if len(b) == 1 {
		sum += uint64(b[0]) << 8
	}
	return sum
}

// folded is a sum in ones' complement.
func folded(sum uint64) uint16 {
	for sum>>16 != 0 {
		sum = sum>>16 + sum&0xffff
	}
	return uint16(sum)
}

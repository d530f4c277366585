package rocev2

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/rdmacap/rdmacap/capture/link"
)

// All masked bytes lie in the first eight of a header (or of IPv4, sixteen),
// so the sum runs over words with ones or-ed in and, between them, over the
// frame as it is: nothing is copied.

// sumByTables is the CRC of a frame that ends before its ICRC. It reports false
// where p's offsets fit no packet.
func sumByTables(frame []byte, p *link.Packet) (uint32, bool) {
	start := p.Start()
	crc, ok := sumBelow(frame[:start], p)
	if !ok {
		return 0, false
	}
	crc = sumWord(crc, frame[start:], maskBTH)
	return sum(crc, frame[start+8:]), true
}

// sumBelow is the CRC of what lies below the BTH: of the frame's bytes from
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
	for _, c := range b {
		crc = ^(t[0][byte(^crc)^c] ^ ^crc>>8)
	}
	return crc
}

// sumWord adds the first eight bytes of b to a CRC, with the mask's bits set.
// It goes through one table for each byte, all of them at once.
func sumWord(crc uint32, b []byte, mask uint64) uint32 {
	w := (binary.LittleEndian.Uint64(b) | mask) ^ uint64(^crc)
	t := &wordTables
	return ^(t[7][byte(w)] ^ t[6][byte(w>>8)] ^ t[5][byte(w>>16)] ^ t[4][byte(w>>24)] ^
		t[3][byte(w>>32)] ^ t[2][byte(w>>40)] ^ t[1][byte(w>>48)] ^ t[0][byte(w>>56)])
}

// wordTables[n] holds the CRC register after a byte and n bytes of zeros;
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

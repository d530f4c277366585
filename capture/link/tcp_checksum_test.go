package link_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
)

// segment is an IPv4 or IPv6 packet with a TCP header and data, without a link header.
func segmentOf(v6 bool, data []byte) []byte {
	tcp := append([]byte{0x4e, 0x21, 0xd2, 0xff, 0, 0, 0, 1, 0, 0, 0, 2, 5 << 4, 0x18, 1, 0, 0xab, 0xcd, 0, 0}, data...)
	if v6 {
		ip := make([]byte, 40)
		ip[0], ip[5], ip[6], ip[7], ip[23], ip[39] = 6<<4, byte(len(tcp)), 6, 64, 1, 2
		return append(ip, tcp...)
	}
	ip := make([]byte, 20)
	ip[0], ip[3], ip[8], ip[9] = 4<<4|5, byte(20+len(tcp)), 64, 6
	copy(ip[12:], []byte{192, 0, 2, 1, 192, 0, 2, 2})
	return append(ip, tcp...)
}

// The sum is worked out here byte by byte, as RFC 1071 has it.
func checksumOf(v6 bool, packet []byte, header bool) uint16 {
	addresses, tcp := packet[12:20], packet[20:]
	if v6 {
		addresses, tcp = packet[8:40], packet[40:]
	}
	sum := uint32(6 + len(tcp))
	add := func(b []byte) {
		for i, x := range b {
			sum += uint32(x) << (8 * (1 - i%2))
		}
	}
	add(addresses)
	if !header {
		add(tcp)
	}
	for sum>>16 != 0 {
		sum = sum>>16 + sum&0xffff
	}
	if header {
		return uint16(sum)
	}
	return ^uint16(sum)
}

func TestTCPChecksum(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		for n := range 40 {
			data := make([]byte, n)
			for i := range data {
				data[i] = byte(7*i + 3)
			}
			b := segmentOf(v6, data)
			at := len(b) - n - 4
			set := func(sum uint16) { b[at], b[at+1] = byte(sum>>8), byte(sum) }
			wrong := func() bool {
				var p link.Packet
				p.Decode(link.TypeRaw, b, len(b), link.Options{})
				if p.Transport != link.TCP {
					t.Fatalf("no TCP: %v", p.Transport)
				}
				return p.WrongTCPChecksum(b)
			}
			if !wrong() {
				t.Errorf("%d bytes, v6 %v: a sum made up is right", n, v6)
			}
			set(0)
			right, partial := checksumOf(v6, b, false), checksumOf(v6, b, true)
			if wrong() {
				t.Errorf("%d bytes, v6 %v: an empty field is wrong", n, v6)
			}
			set(right)
			if wrong() {
				t.Errorf("%d bytes, v6 %v: the right sum %#x is wrong", n, v6, right)
			}
			if n > 0 {
				b[len(b)-1] ^= 4
				if !wrong() {
					t.Errorf("%d bytes, v6 %v: a flipped bit goes unseen", n, v6)
				}
				b[len(b)-1] ^= 4
			}
			set(partial)
			if wrong() {
				t.Errorf("%d bytes, v6 %v: what is left to the adapter is wrong", n, v6)
			}
			b = b[:len(b)-1]
			if n > 0 && wrong() {
				t.Errorf("%d bytes, v6 %v: a segment that was cut is wrong", n, v6)
			}
		}
	}
}

package build

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"
)

const icrcLength = 4

// ICRC is the invariant CRC of a RoCE packet, given from its IPv4 or IPv6
// header or GRH to the last pad byte. Fields that a router or switch may
// change count as all ones, and so do eight bytes in front that stand for the
// LRH (InfiniBand Architecture 1.3, volume 1, section 7.8.1; annexes A16, A17).
// On the wire the value stands least significant byte first.
func ICRC(packet []byte) uint32 { return icrc(packet, false) }

// icrc is ICRC, or what it is with the time to live or hop limit as sent.
func icrc(packet []byte, asSent bool) uint32 {
	ones := func(b []byte) {
		for i := range b {
			b[i] = 0xff
		}
	}
	b := append([]byte(nil), packet...)
	var transport []byte
	if b[0]>>4 == 4 {
		length := int(b[0]&0xf) * 4
		ones(b[1:2]) // DSCP and ECN
		if !asSent {
			ones(b[8:9]) // time to live
		}
		ones(b[10:12]) // header checksum
		transport = b[length:]
	} else {
		b[0] |= 0x0f // traffic class and flow label
		ones(b[1:4])
		if !asSent {
			ones(b[7:8]) // hop limit
		}
		transport = b[40:]
	}
	if b[0]>>4 == 4 || b[6] == protocolUDP {
		ones(transport[6:8]) // UDP checksum
		transport = transport[udpLength:]
	}
	ones(transport[4:5]) // FECN, BECN and six reserved bits
	lrh := make([]byte, 8)
	ones(lrh)
	return crc32.Update(crc32.ChecksumIEEE(lrh), crc32.IEEETable, b)
}

// ICRCWays are the ways of OtherICRC: without the pad, the most significant byte first, and with
// the time to live or hop limit as sent.
func ICRCWays() []string { return []string{"nopad", "reversed", "ttl"} }

// OtherICRC computes the ICRC of a frame of RoCEv2 without tags in another way than ICRC, and
// reports false where that is the same, or the frame is none.
func OtherICRC(frame []byte, way string) bool {
	const ethernet, ipv4, ipv6 = 14, 20, 40
	end := len(frame) - icrcLength
	if end < ethernet+ipv6 || !slices.Contains(ICRCWays(), way) {
		return false
	}
	ip, bth := frame[ethernet:end], ethernet+ipv6+udpLength
	if ip[0]>>4 == 4 {
		bth = ethernet + ipv4 + udpLength
	}
	before, sum := ICRC(ip), uint32(0)
	switch way {
	case "nopad":
		sum = ICRC(ip[:len(ip)-int(frame[bth+1]>>4&3)])
	case "reversed":
		sum = bits.ReverseBytes32(before)
	case "ttl":
		sum = icrc(ip, true)
	}
	binary.LittleEndian.PutUint32(frame[end:], sum)
	return sum != before
}

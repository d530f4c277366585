package build

import "hash/crc32"

const icrcLength = 4

// ICRC is the invariant CRC of a RoCE packet, given from its IPv4 or IPv6
// header or GRH to the last pad octet. Fields that a router or switch may
// change count as all ones, and so do eight octets in front that stand for the
// LRH (InfiniBand Architecture 1.3, volume 1, section 7.8.1; annexes A16, A17).
// On the wire the value stands least significant octet first.
func ICRC(packet []byte) uint32 {
	ones := func(b []byte) {
		for i := range b {
			b[i] = 0xff
		}
	}
	b := append([]byte(nil), packet...)
	var transport []byte
	if b[0]>>4 == 4 {
		length := int(b[0]&0xf) * 4
		ones(b[1:2])   // DSCP and ECN
		ones(b[8:9])   // time to live
		ones(b[10:12]) // header checksum
		transport = b[length:]
	} else {
		b[0] |= 0x0f // traffic class and flow label
		ones(b[1:4])
		ones(b[7:8]) // hop limit
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

package rocev2

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/capture/link"
)

// clmulBlock is how many bytes sumByMultiplying takes at a time.
const clmulBlock = 16

// clmulHead is how many bytes of a packet the masks of a kind of headers
// describe: until the last byte that is masked there, and on to where a block
// may end.
const clmulHead = ipv6Size + udpSize + BTHSize + clmulBlock

// clmulMasks say which bits count in the bytes that a packet begins with, at
// clmulBlock: a byte counts as its bits in keep, with those of flip turned
// over. Before clmulBlock are bytes that do not belong to the packet, all
// zeros, which change no sum. The packet's first four have the CRC of the dummy
// LRH in flip.
type clmulMasks struct{ keep, flip [clmulBlock + clmulHead]byte }

// The masks for headers without options and extensions. They are never written
// after they are made.
var (
	clmulIPv4 = makeClmulMasks(ipv4Size, udpSize, maskIPv4a, maskIPv4b)
	clmulIPv6 = makeClmulMasks(ipv6Size, udpSize, maskIPv6, 0)
	clmulGRH  = makeClmulMasks(grhSize, 0, maskIPv6, 0)
)

// makeClmulMasks makes them for a network header of some size, with the masks
// for its first sixteen bytes, with a UDP header after it or none.
func makeClmulMasks(network, udp int, mask0, mask8 uint64) (m clmulMasks) {
	ones := m.flip[clmulBlock:] // byte by byte what is or-ed in
	binary.LittleEndian.PutUint64(ones, mask0)
	binary.LittleEndian.PutUint64(ones[8:], mask8)
	if udp != 0 {
		binary.LittleEndian.PutUint64(ones[network:], maskUDP)
	}
	binary.LittleEndian.PutUint64(ones[network+udp:], maskBTH)
	for i, mask := range ones {
		m.keep[clmulBlock+i] = ^mask
	}
	// The CRC register is the complement of the CRC.
	binary.LittleEndian.PutUint32(ones, binary.LittleEndian.Uint32(ones)^^uint32(afterOnes))
	return m
}

// sumByMultiplying is the CRC of a frame that ends before its ICRC, in one pass
// over blocks of sixteen bytes. It reports false where it cannot do that: on
// other processors, and for packets other than RoCEv2 without IP options or
// extension headers and RoCEv1.
//
// The last block is the end of the packet, so the first one begins in what lies
// below it, mostly the Ethernet header. A frame that has not enough of that is
// refused, too.
func sumByMultiplying(frame []byte, p *link.Packet) (crc uint32, ok bool) {
	if !clmul {
		return 0, false
	}
	network, start := p.Network(), p.Start()
	var m *clmulMasks
	switch below := start - network; {
	case p.Transport == link.RoCEv2 && below == ipv4Size+udpSize && frame[network]>>4 == 4:
		m = &clmulIPv4
	case p.Transport == link.RoCEv2 && below == ipv6Size+udpSize && frame[network]>>4 == 6:
		m = &clmulIPv6
	case p.Transport == link.RoCEv1 && below == grhSize:
		m = &clmulGRH
	default:
		return 0, false
	}
	lead := (network - len(frame)) & (clmulBlock - 1)
	if lead > network {
		return 0, false
	}
	at := network - lead
	// The last byte that is masked is the BTH's fourth.
	masked := (start+4-at)/clmulBlock + 1
	return clmulSum(frame[at:], &m.keep[clmulBlock-lead], &m.flip[clmulBlock-lead], masked), true
}

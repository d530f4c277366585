package link

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/wrap"
)

// hexBytes is the bytes of hexadecimal text; spaces and line ends do not count.
func hexBytes(text ...string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(strings.Join(text, "")), ""))
	if err != nil {
		panic(err)
	}
	return b
}

// The parts that the vectors are put together from. Those named real were
// captured between two Linux hosts with Soft-RoCE and Soft-iWARP.
const (
	macs = "525400000002 525400000001"

	// From IP on, a real RC Acknowledge.
	realIPv4 = "45000030d89640004011de22c0000201c0000202"
	realUDP  = "a2b112b7001c0000"
	realBTH  = "1100ffff00000011002238991f000001bf36e8af"

	realARP    = "ffffffffffff525400000002 0806 0001080006040001525400000002c0000202000000000000c0000201"
	realMLD    = "333300000016525400000002 86dd 600000000024000100000000000000000000000000000000ff020000000000000000000000000016 3a00050200000100 8f006f880000000104000000ff0200000000000000000001ff000002"
	realSYN    = "525400000001525400000002 0800 4500003cc90440004006edb3c0000202c0000201 90be08017cc78c0300000000a002faf0db480000 020405b40402080a56a6f5910000000001030307"
	realPadded = "525400000002525400000001 0800 45000028000040004006b6ccc0000201c0000202 0801c4ba000000006014e9475014000015b50000 000000000000"

	// From IP on, an RC Acknowledge over IPv6 whose ICRC is right (Annex A17).
	ipv6     = "60212345001c114020010db800000000000000000000000120010db8000000000000000000000002"
	ipv6UDP  = "c00012b7001c0000"
	ipv6BTH  = "1140ffff0000001100000abc1f000005b4d9e2f4"
	gids     = "fe80000000000000 0000000000000001 fe80000000000000 0000000000000002"
	grhOfAck = "60200000 0014 1b 40" + gids // TClass 2
	ibAck    = "1140ffff0000001100000abc1f000005 01020304"
	erf21    = "0011223344556677 15 04"
)

// tsoVector is the vector whose IP header has no length.
const tsoVector = "TCP before segmentation offload"

// A vector is one frame and what Decode is to find in it.
type vector struct {
	name string
	link Type
	data []byte
	want found
}

// found is a Packet's public content, in a form that prints well.
type found struct {
	transport        Transport
	src, dst         string
	srcPort, dstPort uint16
	network, grh     int
	start, end       int
	ipid             uint16
	ecn              uint8
	fragment         bool
	protocol         string
	fault            string
}

func find(p *Packet) found {
	f := found{
		transport: p.Transport,
		srcPort:   p.SrcPort, dstPort: p.DstPort,
		network: p.Network(), grh: p.GRH(), start: p.Start(), end: p.End(),
		ipid: p.IPID, ecn: p.ECN, fragment: p.Fragment(),
		protocol: p.Protocol(), fault: p.Fault().String(),
	}
	if p.Src().IsValid() {
		f.src = p.Src().String()
	}
	if p.Dst().IsValid() {
		f.dst = p.Dst().String()
	}
	return f
}

// ack is what is found of the real RC Acknowledge when its IPv4 header begins at ip.
func ack(ip int) found {
	return found{transport: RoCEv2, src: "192.0.2.1", dst: "192.0.2.2", srcPort: 41649, dstPort: 4791,
		network: ip, grh: -1, start: ip + 28, end: ip + 48, ipid: 0xd896}
}

// ack6 is what is found of the RC Acknowledge over IPv6, with some bytes of
// extension headers.
func ack6(ip, extensions int) found {
	return found{transport: RoCEv2, src: "2001:db8::1", dst: "2001:db8::2", srcPort: 0xc000, dstPort: 4791,
		network: ip, grh: -1, start: ip + extensions + 48, end: ip + extensions + 68, ecn: 2}
}

// ib is what is found of a packet of the InfiniBand transport without IP.
func ib(transport Transport, src, dst string, network, grh, start, end int, ecn uint8) found {
	return found{transport: transport, src: src, dst: dst, network: network, grh: grh, start: start, end: end, ecn: ecn}
}

// other is what is found of a frame that is not RDMA.
func other(protocol string) found { return found{grh: -1, protocol: protocol} }

func vectors() []vector {
	withAddresses := func(f found, src, dst string) found { f.src, f.dst = src, dst; return f }
	tcp := func(ip, end int, src, dst string, sport, dport, id uint16) found {
		return found{transport: TCP, src: src, dst: dst, srcPort: sport, dstPort: dport, network: ip, grh: -1,
			start: ip + 20, end: end, ipid: id, protocol: "TCP"}
	}
	ackFrame := realIPv4 + realUDP + realBTH
	ack6Frame := ipv6 + ipv6UDP + ipv6BTH
	// With a GRH: LNH 3, 8+40+20 bytes = 17 words. Without: LNH 2, 7 words.
	lrh, lrhGRH := "f0020012 00070034", "70030012 00110034"
	return append(wrapped(hexBytes(macs, "0800", ackFrame), hexBytes(macs, "86dd", ack6Frame)), []vector{
		{"Ethernet IPv4 RoCEv2", TypeEthernet, hexBytes(macs, "0800", ackFrame), ack(14)},
		{"Ethernet padding is not the ICRC", TypeEthernet, hexBytes(macs, "0800", ackFrame, "eeeeeeeeeeee"), ack(14)},
		{"Ethernet IPv6 RoCEv2", TypeEthernet, hexBytes(macs, "86dd", ack6Frame), ack6(14, 0)},
		{"one tag", TypeEthernet, hexBytes(macs, "8100 600a 0800", ackFrame), ack(18)},
		{"service tag and customer tag", TypeEthernet, hexBytes(macs, "88a8 0064 8100 600a 86dd", ack6Frame), ack6(22, 0)},
		{"eight tags", TypeEthernet, hexBytes(macs, strings.Repeat("9100 0001 ", 8), "0800", ackFrame), ack(46)},
		{"SLL", TypeSLL, hexBytes("0004 0001 0006 525400000001 0000 0800", ackFrame), ack(16)},
		{"SLL2 with a tag", TypeSLL2, hexBytes("8100 0000 00000002 0001 00 06 525400000001 0000", "600a 0800", ackFrame), ack(24)},
		{"raw IPv4 by nibble", TypeRaw, hexBytes(ackFrame), ack(0)},
		{"raw IPv6 by nibble", TypeRaw, hexBytes(ack6Frame), ack6(0, 0)},
		{"raw IPv4", TypeIPv4, hexBytes(ackFrame), ack(0)},
		{"raw IPv6", TypeIPv6, hexBytes(ack6Frame), ack6(0, 0)},
		{"loopback, little-endian host", TypeNull, hexBytes("02000000", ackFrame), ack(4)},
		{"loopback, big-endian host", TypeNull, hexBytes("0000001e", ack6Frame), ack6(4, 0)},
		{"OpenBSD loopback", TypeLoop, hexBytes("00000002", ackFrame), ack(4)},

		{"IPv4 options", TypeIPv4, hexBytes("47030038d89640004011de22c0000201c0000202 9404000001010100", realUDP, realBTH),
			found{transport: RoCEv2, src: "192.0.2.1", dst: "192.0.2.2", srcPort: 41649, dstPort: 4791,
				network: 0, grh: -1, start: 36, end: 56, ipid: 0xd896, ecn: 3}},
		{"IPv6 hop-by-hop, destination, routing, atomic fragment", TypeIPv6,
			hexBytes("60212345 0044 00 40 20010db800000000000000000000000120010db8000000000000000000000002",
				"3c00010400000000", "2b01010c000000000000000000000000", "2c00000000000000", "1100000012345678", ipv6UDP, ipv6BTH),
			ack6(0, 40)},
		{"IPv4 first fragment", TypeIPv4, hexBytes("45000030d89620004011de22c0000201c0000202", realUDP, realBTH),
			found{src: "192.0.2.1", dst: "192.0.2.2", grh: -1, ipid: 0xd896, fragment: true, protocol: "IPv4 fragment"}},
		{"IPv4 last fragment", TypeIPv4, hexBytes("45000030d89600034011de22c0000201c0000202", realUDP, realBTH),
			found{src: "192.0.2.1", dst: "192.0.2.2", grh: -1, ipid: 0xd896, fragment: true, protocol: "IPv4 fragment"}},
		{"IPv6 fragment", TypeIPv6, hexBytes("60212345 0024 2c 40 20010db800000000000000000000000120010db8000000000000000000000002",
			"1100000112345678", ipv6UDP, ipv6BTH),
			found{src: "2001:db8::1", dst: "2001:db8::2", grh: -1, ecn: 2, fragment: true, protocol: "IPv6 fragment"}},

		{"RoCEv1", TypeEthernet, hexBytes(macs, "8915", grhOfAck, ibAck), ib(RoCEv1, "fe80::1", "fe80::2", 14, 14, 54, 74, 2)},
		{"RoCEv1 with a tag", TypeEthernet, hexBytes(macs, "8100 600a 8915", grhOfAck, ibAck), ib(RoCEv1, "fe80::1", "fe80::2", 18, 18, 58, 78, 2)},
		{"RoCEv1 with GIDs of IPv4", TypeEthernet,
			hexBytes(macs, "8915 60000000 0014 1b 40 00000000000000000000ffffc0000201 00000000000000000000ffffc0000202", ibAck),
			ib(RoCEv1, "192.0.2.1", "192.0.2.2", 14, 14, 54, 74, 0)},
		{"InfiniBand, LRH only, virtual lane 15", TypeInfiniBand, hexBytes(lrh, ibAck), ib(InfiniBand, "LID 0x0034", "LID 0x0012", 0, -1, 8, 28, 0)},
		{"InfiniBand with VCRC", TypeInfiniBand, hexBytes(lrh, ibAck, "abcd"), ib(InfiniBand, "LID 0x0034", "LID 0x0012", 0, -1, 8, 28, 0)},
		{"InfiniBand with GRH", TypeInfiniBand, hexBytes(lrhGRH, grhOfAck, ibAck, "abcd"), ib(InfiniBand, "fe80::1", "fe80::2", 0, 8, 48, 68, 2)},
		{"InfiniBand handed up without its CRCs", TypeInfiniBand, hexBytes(lrh, ibAck[:len(ibAck)-8]), ib(InfiniBand, "LID 0x0034", "LID 0x0012", 0, -1, 8, 28, 0)},
		{"InfiniBand raw packet", TypeInfiniBand, hexBytes("00000012 00070034", ibAck),
			withAddresses(other("InfiniBand raw packet"), "LID 0x0034", "LID 0x0012")},
		{"InfiniBand raw packet with IPv6", TypeInfiniBand, hexBytes("00010012 00070034", ibAck),
			withAddresses(other("IPv6 in InfiniBand raw packet"), "LID 0x0034", "LID 0x0012")},

		{"ERF InfiniBand", TypeERF, hexBytes(erf21, "002e 0000 001e", lrh, ibAck, "abcd"), ib(InfiniBand, "LID 0x0034", "LID 0x0012", 16, -1, 24, 44, 0)},
		{"ERF InfiniBand, rlen 2 too many", TypeERF, hexBytes(erf21, "002e 0000 001e", lrh, ibAck), ib(InfiniBand, "LID 0x0034", "LID 0x0012", 16, -1, 24, 44, 0)},
		{"ERF InfiniBand, rlen 6 too many", TypeERF, hexBytes(erf21, "002e 0000 0018", lrh, ibAck[:len(ibAck)-8]), ib(InfiniBand, "LID 0x0034", "LID 0x0012", 16, -1, 24, 44, 0)},
		{"ERF InfiniBand with two extensions", TypeERF,
			hexBytes("0011223344556677 95 04 003e 0000 001e 8300000000000001 0500000000000002", lrh, ibAck, "abcd"),
			ib(InfiniBand, "LID 0x0034", "LID 0x0012", 32, -1, 40, 60, 0)},
		{"ERF InfiniBand with GRH", TypeERF, hexBytes(erf21, "0056 0000 0046", lrhGRH, grhOfAck, ibAck, "abcd"),
			ib(InfiniBand, "fe80::1", "fe80::2", 16, 24, 64, 84, 2)},
		{"ERF Ethernet", TypeERF, hexBytes("0011223344556677 02 04 0050 0000 0040 0000", macs, "0800", ackFrame), ack(32)},
		{"ERF IPv4", TypeERF, hexBytes("0011223344556677 16 04 0040 0000 0030", ackFrame), ack(16)},
		{"ERF IPv6", TypeERF, hexBytes("0011223344556677 17 04 0054 0000 0044", ack6Frame), ack6(16, 0)},
		{"ERF InfiniBand link packet", TypeERF, hexBytes("0011223344556677 19 04 0016 0000 0006 0f1001230000"), other("InfiniBand link packet")},
		{"ERF of another type", TypeERF, hexBytes("0011223344556677 2a 04 0010 0000 0000"), other("ERF type 42")},
		{"ibdump on a RoCE port, RoCEv1", TypeERF, hexBytes(erf21, "005a 0000 004a", macs, "8915", grhOfAck, ibAck), ib(RoCEv1, "fe80::1", "fe80::2", 30, 30, 70, 90, 2)},
		{"ibdump on a RoCE port, RoCEv2", TypeERF, hexBytes(erf21, "004e 0000 003e", macs, "0800", ackFrame), ack(30)},
		{"ibdump on a RoCE port, tag", TypeERF, hexBytes(erf21, "0052 0000 0042", "0002c9aabbcc 0002c9112233", "8100 600a 0800", ackFrame), ack(34)},

		{"TCP", TypeEthernet, hexBytes(realSYN), tcp(14, 74, "192.0.2.2", "192.0.2.1", 0x90be, 2049, 0xc904)},
		{"TCP in a padded frame", TypeEthernet, hexBytes(realPadded), tcp(14, 54, "192.0.2.1", "192.0.2.2", 2049, 0xc4ba, 0)},
		{tsoVector, TypeIPv4, hexBytes("45000000c90440004006edb3c0000202c0000201", "90be08017cc78c03000000005002faf0db480000", "0102030405"),
			tcp(0, 45, "192.0.2.2", "192.0.2.1", 0x90be, 2049, 0xc904)},

		{"ARP", TypeEthernet, hexBytes(realARP), other("ARP")},
		{"ICMPv6 behind hop-by-hop", TypeEthernet, hexBytes(realMLD), withAddresses(other("ICMPv6"), "::", "ff02::16")},
		{"LLDP", TypeEthernet, hexBytes(macs, "88cc 0207"), other("LLDP")},
		{"PFC", TypeEthernet, hexBytes("0180c2000001 525400000001 8808 0101 0008"), other("PFC pause")},
		{"PAUSE", TypeEthernet, hexBytes("0180c2000001 525400000001 8808 0001 ffff"), other("PAUSE")},
		{"MAC control", TypeEthernet, hexBytes("0180c2000001 525400000001 8808 0002 ffff"), other("MAC control")},
		{"802.3 length", TypeEthernet, hexBytes("0180c2000000 525400000001 0026 424203"), other("802.3 LLC")},
		{"EtherType without a name", TypeEthernet, hexBytes(macs, "88b5 0102"), other("EtherType 0x88b5")},
		{"small EtherType without a name", TypeEthernet, hexBytes(macs, "0601 0102"), other("EtherType 0x0601")},
		{"IP protocol without a name", TypeIPv4, hexBytes("4500001400004000 40fd0000 c0000201c0000202"), withAddresses(other("IP protocol 253"), "192.0.2.1", "192.0.2.2")},
		{"UDP to another port from 4791", TypeIPv4, hexBytes("45000020000040004011 0000 c0000201c0000202 12b70045000c0000 01020304"),
			found{src: "192.0.2.1", dst: "192.0.2.2", srcPort: 4791, dstPort: 69, grh: -1, protocol: "UDP"}},
		{"UDP with options behind the datagram", TypeIPv4, hexBytes("45000020000040004011 0000 c0000201c0000202 0044004300080000 01020304"),
			found{src: "192.0.2.1", dst: "192.0.2.2", srcPort: 68, dstPort: 67, grh: -1, protocol: "UDP"}},
		{"loopback of another family", TypeNull, hexBytes("07000000 0102"), other("loopback")},
		{"link type not known", Type(147), hexBytes("0102"), other("link type not known")},
	}...)
}

// wrapped are two frames in every tunnel.
func wrapped(v4, v6 []byte) (list []vector) {
	for _, k := range append(wrap.Kinds(), wrap.Nested()) {
		in4, in6 := k.Frame(v4), k.Frame(v6)
		list = append(list,
			vector{k.Name + ", IPv4 in it", TypeEthernet, in4, ack(len(in4) - len(v4) + ethernetSize)},
			vector{k.Name + ", IPv6 in it", TypeEthernet, in6, ack6(len(in6)-len(v6)+ethernetSize, 0)})
	}
	return list
}

// TestDecode decodes every vector into one dirty Packet and compares all that
// is public.
func TestDecode(t *testing.T) {
	var p Packet
	for _, v := range vectors() {
		t.Run(v.name, func(t *testing.T) {
			p.Decode(v.link, v.data, len(v.data), Options{})
			if got := find(&p); got != v.want {
				t.Errorf("\n got %+v\nwant %+v", got, v.want)
			}
		})
	}
}

package build

import (
	"encoding/binary"
	"net/netip"
)

const (
	etherTypeIPv4   = 0x0800
	etherTypeIPv6   = 0x86dd
	etherTypeRoCEv1 = 0x8915
	protocolUDP     = 17
	nextHeaderIBA   = 0x1b
	portRoCEv2      = 4791
	udpLength       = 8
)

// The addresses of the two hosts where a test gives none (RFC 5737, RFC 3849).
var (
	ClientIPv4 = netip.MustParseAddr("192.0.2.2")
	ServerIPv4 = netip.MustParseAddr("192.0.2.1")
	ClientIPv6 = netip.MustParseAddr("2001:db8::2")
	ServerIPv6 = netip.MustParseAddr("2001:db8::1")
)

// IPv4 is a header with a valid checksum and Don't Fragment set (RFC 791).
type IPv4 struct {
	Src, Dst netip.Addr // zero: the client's, the server's
	TOS      uint8      // DSCP and ECN
	ID       uint16
	TTL      uint8  // 0 is written as 64
	Options  []byte // a multiple of four bytes
}

// IPv6 is a header without extension headers (RFC 8200).
type IPv6 struct {
	Src, Dst     netip.Addr // zero: the client's, the server's
	TrafficClass uint8
	FlowLabel    uint32 // 20 bits
	HopLimit     uint8  // 0 is written as 64
}

// A GRH makes the frame RoCEv1: InfiniBand's global route header in place of
// IP and UDP (InfiniBand Architecture 1.3, volume 1, section 8.3).
type GRH struct {
	SGID, DGID netip.Addr // zero: the client's, the server's; IPv4 is written as ::ffff:a.b.c.d
	TClass     uint8
	FlowLabel  uint32 // 20 bits
	HopLmt     uint8  // 0 is written as 64
}

// UDP is the header after IP; the destination port is 4791, the checksum 0.
type UDP struct{ SrcPort uint16 }

func (l IPv4) addTo(p *parts) { p.network = l }
func (l IPv6) addTo(p *parts) { p.network = l }
func (l GRH) addTo(p *parts)  { p.network = l }
func (l UDP) addTo(p *parts)  { p.udp = l }

func (IPv4) etherType() uint16 { return etherTypeIPv4 }
func (IPv6) etherType() uint16 { return etherTypeIPv6 }
func (GRH) etherType() uint16  { return etherTypeRoCEv1 }

func (l IPv4) append(b []byte, n int, proto uint8) []byte {
	length := 20 + len(l.Options)
	h := []byte{4<<4 | byte(length/4), l.TOS}
	h = binary.BigEndian.AppendUint16(h, uint16(length+n))
	h = binary.BigEndian.AppendUint16(h, l.ID)
	h = append(h, 0x40, 0, or(l.TTL, 64), proto, 0, 0)
	h = append(h, or(l.Src, ClientIPv4).AsSlice()...)
	h = append(h, or(l.Dst, ServerIPv4).AsSlice()...)
	h = append(h, l.Options...)
	binary.BigEndian.PutUint16(h[10:], checksum(h))
	return append(b, h...)
}

func (l IPv6) append(b []byte, n int, proto uint8) []byte {
	return appendVersion6(b, l.TrafficClass, l.FlowLabel, n, proto, l.HopLimit, or(l.Src, ClientIPv6), or(l.Dst, ServerIPv6))
}

func (l GRH) append(b []byte, n int, proto uint8) []byte {
	return appendVersion6(b, l.TClass, l.FlowLabel, n, proto, l.HopLmt, or(l.SGID, ClientIPv6), or(l.DGID, ServerIPv6))
}

// appendVersion6 writes the 40 bytes that IPv6 and the GRH have in common.
func appendVersion6(b []byte, class uint8, label uint32, n int, next, hops uint8, src, dst netip.Addr) []byte {
	b = binary.BigEndian.AppendUint32(b, 6<<28|uint32(class)<<20|label&0xfffff)
	b = binary.BigEndian.AppendUint16(b, uint16(n))
	b = append(b, next, or(hops, 64))
	from, to := src.As16(), dst.As16()
	return append(append(b, from[:]...), to[:]...)
}

func (l UDP) append(b []byte, n int) []byte {
	b = binary.BigEndian.AppendUint16(b, l.SrcPort)
	b = binary.BigEndian.AppendUint16(b, portRoCEv2)
	b = binary.BigEndian.AppendUint16(b, uint16(udpLength+n))
	return append(b, 0, 0)
}

// checksum is the Internet checksum (RFC 1071) of an even number of bytes.
func checksum(b []byte) uint16 {
	var sum uint32
	for ; len(b) > 1; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

package link

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// ipv4Size is the bytes of an IPv4 header without options.
const ipv4Size = 20

// fragmentBits are MF and the fragment offset in the fourth 16-bit word of an
// IPv4 header.
const fragmentBits = 0x3FFF

// ipv4Table is the IPv4 header without its options:
//
//	| Version 4 bits | IHL 4 bits | DSCP 6 bits | ECN 2 bits | Total Length 2 |
//	| Identification 2 | Flags 3 bits | Fragment Offset 13 bits |
//	| Time to Live 1 | Protocol 1 | Header Checksum 2 |
//	| Source Address 4 | Destination Address 4 |
var ipv4Table = field.Table{
	Key: "ip", Name: "IPv4", Title: "Internet Protocol version 4", Ref: "RFC 791 section 3.1",
	Fields: []field.Field{
		{Name: "Version", Key: "version", Bit: 0, Width: 4, Doc: "4"},
		{Name: "IHL", Key: "hdr_len", Bit: 4, Width: 4, Doc: "header length in units of four bytes, options included"},
		{Name: "DSCP", Key: "dscp", Bit: 8, Width: 6, Enum: dscpName, Doc: "differentiated services code point (RFC 2474)"},
		{Name: "ECN", Key: "ecn", Bit: 14, Width: 2, Enum: ecnName, Doc: "explicit congestion notification (RFC 3168)"},
		{Name: "Total Length", Key: "len", Bit: 16, Width: 16, Doc: "bytes of the packet, header included"},
		{Name: "Identification", Key: "id", Bit: 32, Width: 16, Format: field.Hex, Doc: "which packet a fragment is of"},
		{Name: "Reserved", Key: "rb", Bit: 48, Width: 1, Format: field.Flag, Doc: "0"},
		{Name: "DF", Key: "df", Bit: 49, Width: 1, Format: field.Flag, Doc: "do not fragment"},
		{Name: "MF", Key: "mf", Bit: 50, Width: 1, Format: field.Flag, Doc: "more fragments follow"},
		{Name: "Fragment Offset", Key: "frag_offset", Bit: 51, Width: 13, Doc: "place in the packet in units of eight bytes"},
		{Name: "Time to Live", Key: "ttl", Bit: 64, Width: 8, Doc: "hops left"},
		{Name: "Protocol", Key: "proto", Bit: 72, Width: 8, Enum: ipProtocolEnum, Doc: "what follows"},
		{Name: "Header Checksum", Key: "checksum", Bit: 80, Width: 16, Format: field.Hex, Doc: "sum over the header"},
		{Name: "Source Address", Key: "src", Bit: 96, Width: 32, Format: field.IP, Doc: "who sent the packet"},
		{Name: "Destination Address", Key: "dst", Bit: 128, Width: 32, Format: field.IP, Doc: "whom the packet is for"},
	},
}

// ipv4OptionsTable is the name of the IPv4 options; they are shown as bytes.
var ipv4OptionsTable = field.Table{Key: "ip.options", Name: "IPv4 options", Title: "IPv4 options", Ref: "RFC 791 section 3.1"}

// rawIP reads an IP header of the version that its first four bits say.
func (d *decoder) rawIP(at int) {
	d.protocol = isRawIP
	switch {
	case at >= len(d.data):
		d.header(kindIPv4, at, ipv4Size) // cut short
	case d.data[at]>>4 == 4:
		d.ipv4(at)
	case d.data[at]>>4 == 6:
		d.ipv6(at)
	default:
		d.blame(at, ipVersion)
	}
}

// ipv4 reads an IPv4 header and what follows it.
func (d *decoder) ipv4(at int) {
	d.protocol = isIPv4
	h := d.header(kindIPv4, at, ipv4Size)
	if h == nil {
		return
	}
	size := int(h[0]&0x0F) * 4
	switch {
	case h[0]>>4 != 4:
		d.blame(at, ipv4Version)
		return
	case size < ipv4Size:
		d.blame(at, ipv4HeaderLength)
		return
	}
	d.between(AddrIPv4(h[12:16]), AddrIPv4(h[16:20]))
	d.ECN = h[1] & 3
	d.IPID = binary.BigEndian.Uint16(h[4:])
	if size > ipv4Size && d.header(kindIPv4Options, at+ipv4Size, size-ipv4Size) == nil {
		return
	}
	protocol := h[9]
	total := int(binary.BigEndian.Uint16(h[2:]))
	d.ip, d.ipEnd = at, at+total
	switch {
	case total == 0:
		// A capture on the sending host sees segments before the adapter
		// splits them (TCP segmentation offload), too long for this field.
		d.ipEnd, d.unsized = d.wire, true
		if protocol != protoTCP {
			d.blame(at+2, ipv4NoLength)
		}
	case total < size:
		d.blame(at+2, ipv4LessThanHeader)
		return
	case d.ipEnd > d.wire:
		d.beyond(at+2, d.ipEnd, ipv4BeyondFrame)
	}
	if binary.BigEndian.Uint16(h[6:])&fragmentBits != 0 {
		d.flags |= isFragment
		d.protocol = isIPv4Fragment
		return
	}
	d.ipPayload(protocol, at+size)
}

// ipPayload reads what an IP header carries.
func (d *decoder) ipPayload(protocol uint8, at int) {
	switch protocol {
	case protoUDP:
		d.udp(at)
	case protoTCP:
		d.tcp(at)
	default:
		d.is(byIPProtocol, uint16(protocol))
		d.ipTunnel(protocol, at)
	}
}

// ipTunnel reads what an IP header carries, if that is a tunnel.
func (d *decoder) ipTunnel(protocol uint8, at int) {
	switch {
	case at > d.ipEnd:
	case protocol == protoGRE:
		d.gre(at)
	case protocol == protoIPv4 && d.opens(IPInIP):
		d.within(d.ipEnd)
		d.ipv4(at)
	case protocol == protoIPv6 && d.opens(IPInIP):
		d.within(d.ipEnd)
		d.ipv6(at)
	case protocol == protoMPLS && d.opens(MPLS):
		d.within(d.ipEnd)
		d.mpls(at)
	case protocol == protoEthernet && d.opens(SRv6):
		d.within(d.ipEnd)
		d.ethernet(at)
	}
}

// summariseIPv4 is who sent the packet to whom.
func summariseIPv4(h []byte) string { return between(AddrIPv4(h[12:16]), AddrIPv4(h[16:20])) }

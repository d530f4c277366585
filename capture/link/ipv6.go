package link

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// The bytes of an IPv6 header, and of the shortest extension header.
const (
	ipv6Size      = 40
	extensionSize = 8
)

// The IPv6 extension headers that Decode walks through, by Next Header.
const (
	nextHopByHop    = 0
	nextRouting     = 43
	nextFragment    = 44
	nextDestination = 60
)

// ipv6Table is the IPv6 header:
//
//	| Version 4 bits | DSCP 6 bits | ECN 2 bits | Flow Label 20 bits |
//	| Payload Length 2 | Next Header 1 | Hop Limit 1 |
//	| Source Address 16 | Destination Address 16 |
var ipv6Table = field.Table{
	Key: "ipv6", Name: "IPv6", Title: "Internet Protocol version 6", Ref: "RFC 8200 section 3",
	Fields: []field.Field{
		{Name: "Version", Key: "version", Bit: 0, Width: 4, Doc: "6"},
		{Name: "DSCP", Key: "dscp", Bit: 4, Width: 6, Enum: dscpName, Doc: "differentiated services code point (RFC 2474)"},
		{Name: "ECN", Key: "ecn", Bit: 10, Width: 2, Enum: ecnName, Doc: "explicit congestion notification (RFC 3168)"},
		{Name: "Flow Label", Key: "flow", Bit: 12, Width: 20, Format: field.Hex, Doc: "marks packets of one flow"},
		{Name: "Payload Length", Key: "plen", Bit: 32, Width: 16, Doc: "bytes after this header, extension headers included"},
		{Name: "Next Header", Key: "nxt", Bit: 48, Width: 8, Enum: ipProtocolEnum, Doc: "what follows"},
		{Name: "Hop Limit", Key: "hlim", Bit: 56, Width: 8, Doc: "hops left"},
		{Name: "Source Address", Key: "src", Bit: 64, Width: 128, Format: field.IP, Doc: "who sent the packet"},
		{Name: "Destination Address", Key: "dst", Bit: 192, Width: 128, Format: field.IP, Doc: "whom the packet is for"},
	},
}

// The extension headers have their first two bytes in common; what the tables
// do not name of them is shown as bytes.
var (
	hopByHopTable    = field.Table{Key: "ipv6.hopopts", Name: "Hop-by-Hop", Title: "IPv6 hop-by-hop options", Ref: "RFC 8200 section 4.3", Fields: extensionFields}
	destinationTable = field.Table{Key: "ipv6.dstopts", Name: "Destination Options", Title: "IPv6 destination options", Ref: "RFC 8200 section 4.6", Fields: extensionFields}
	routingTable     = field.Table{
		Key: "ipv6.routing", Name: "Routing", Title: "IPv6 routing header", Ref: "RFC 8200 section 4.4",
		Fields: append(extensionFields[:2:2],
			field.Field{Name: "Routing Type", Key: "type", Bit: 16, Width: 8, Doc: "which variant the rest is"},
			field.Field{Name: "Segments Left", Key: "segleft", Bit: 24, Width: 8, Doc: "nodes still to visit"}),
	}
	fragmentTable = field.Table{
		Key: "ipv6.fraghdr", Name: "Fragment", Title: "IPv6 fragment header", Ref: "RFC 8200 section 4.5",
		Fields: []field.Field{
			extensionFields[0],
			{Name: "Reserved", Key: "reserved", Bit: 8, Width: 8, Format: field.Hex, Doc: "0"},
			{Name: "Fragment Offset", Key: "offset", Bit: 16, Width: 13, Doc: "place in the packet in units of eight bytes"},
			{Name: "Res", Key: "res", Bit: 29, Width: 2, Doc: "0"},
			{Name: "M", Key: "more", Bit: 31, Width: 1, Format: field.Flag, Doc: "more fragments follow"},
			{Name: "Identification", Key: "ident", Bit: 32, Width: 32, Format: field.Hex, Doc: "which packet a fragment is of"},
		},
	}
	extensionFields = []field.Field{
		{Name: "Next Header", Key: "nxt", Bit: 0, Width: 8, Enum: ipProtocolEnum, Doc: "what follows"},
		{Name: "Hdr Ext Len", Key: "len", Bit: 8, Width: 8, Doc: "length in units of eight bytes, the first eight not counted"},
	}
)

// ipv6 reads an IPv6 header and what follows it.
func (d *decoder) ipv6(at int) {
	d.protocol = isIPv6
	h := d.header(kindIPv6, at, ipv6Size)
	if h == nil {
		return
	}
	if h[0]>>4 != 6 {
		d.blame(at, ipv6Version)
		return
	}
	d.between(AddrIPv6(h[8:24]), AddrIPv6(h[24:40]))
	d.ECN = h[1] >> 4 & 3
	length := int(binary.BigEndian.Uint16(h[4:]))
	d.ip, d.ipEnd = at, at+ipv6Size+length
	if length == 0 {
		d.ipEnd, d.unsized = d.wire, true
	} else if d.ipEnd > d.wire {
		d.beyond(at+4, d.ipEnd, ipv6BeyondFrame)
	}
	next, at, ok := d.extensions(h[6], at+ipv6Size)
	if !ok {
		return
	}
	if d.unsized && next != protoTCP && next != nextNone {
		// Only TCP is seen so, before segmentation offload; see ipv4.
		d.blame(d.ip+4, ipv6NoLength)
	}
	d.ipPayload(next, at)
}

// extensions walks through the extension headers of an IPv6 packet, and returns
// the protocol after them and its offset. It reports false where that cannot
// or, in a fragment, should not be looked at.
func (d *decoder) extensions(next uint8, at int) (protocol uint8, after int, ok bool) {
	for ; ; d.extensionsSeen++ {
		var kind layerKind
		switch next {
		case nextHopByHop:
			kind = kindHopByHop
		case nextRouting:
			kind = kindRouting
		case nextDestination:
			kind = kindDestination
		case nextFragment:
			kind = kindFragment
		default:
			return next, at, true
		}
		d.is(byIPProtocol, uint16(next))
		if d.extensionsSeen == maxExtensions {
			d.blame(at, manyExtensions)
			return 0, 0, false
		}
		size := extensionSize
		if kind != kindFragment && at+1 < len(d.data) {
			size += 8 * int(d.data[at+1])
		}
		if at+size > d.ipEnd {
			d.blame(at, ipv6ExtensionBeyond)
			return 0, 0, false
		}
		h := d.header(kind, at, size)
		if h == nil {
			return 0, 0, false
		}
		// A fragment header may also be there with nothing cut off (RFC 6946).
		if kind == kindFragment && binary.BigEndian.Uint16(h[2:])&^6 != 0 {
			d.flags |= isFragment
			return 0, 0, false
		}
		next = h[0]
		at += size
	}
}

// summariseIPv6 is who sent the packet to whom, by an IPv6 header or a GRH.
func summariseIPv6(h []byte) string { return between(AddrIPv6(h[8:24]), AddrIPv6(h[24:40])) }

package link

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// udpSize is the bytes of a UDP header.
const udpSize = 8

// udpTable is the UDP header:
//
//	| Source Port 2 | Destination Port 2 | Length 2 | Checksum 2 |
var udpTable = field.Table{
	Key: "udp", Name: "UDP", Title: "User Datagram Protocol", Ref: "RFC 768",
	Fields: []field.Field{
		{Name: "Source Port", Key: "srcport", Bit: 0, Width: 16, Doc: "for RoCEv2 only spreads flows over paths"},
		{Name: "Destination Port", Key: "dstport", Bit: 16, Width: 16, Enum: udpPortName, Doc: "4791 is RoCEv2"},
		{Name: "Length", Key: "length", Bit: 32, Width: 16, Doc: "bytes from this header on"},
		{Name: "Checksum", Key: "checksum", Bit: 48, Width: 16, Format: field.Hex, Doc: "0 for none"},
	},
}

func udpPortName(v uint64) string {
	switch v {
	case rocePort:
		return "RoCEv2"
	case vxlanPort:
		return "VXLAN"
	case genevePort:
		return "Geneve"
	}
	return ""
}

// udp reads a UDP header in the IP packet that ends at ipEnd.
func (d *decoder) udp(at int) {
	d.protocol = isUDP
	start := at + udpSize
	if start > d.ipEnd {
		d.blame(at, udpBeyondPacket)
		return
	}
	h := d.header(kindUDP, at, udpSize)
	if h == nil {
		return
	}
	d.SrcPort, d.DstPort = binary.BigEndian.Uint16(h), binary.BigEndian.Uint16(h[2:])
	length := int(binary.BigEndian.Uint16(h[4:]))
	roce := d.DstPort == rocePort || d.DstPort == d.roce && d.roce != 0
	switch {
	case length == 0:
		d.blame(at+4, udpNoLength)
	case length < udpSize:
		d.blame(at+4, udpLessThanHeader)
	case at+length > d.ipEnd:
		d.blame(at+4, udpLengthBeyond)
	case at+length < d.ipEnd && !d.unsized && roce:
		// Other protocols may put options after the datagram (RFC 9868).
		d.blame(at+4, udpLengthBefore)
	}
	if !roce {
		if d.DstPort == vxlanPort || d.DstPort == genevePort {
			d.overlay(start, max(start, min(at+length, d.ipEnd)))
		}
		return
	}
	d.Transport, d.protocol = RoCEv2, noProtocol
	d.place(d.ip, start, max(start, min(at+length, d.ipEnd)))
}

// summarisePorts is the two ports of a UDP or TCP header.
func summarisePorts(h []byte) string {
	return strconv.Itoa(int(binary.BigEndian.Uint16(h))) + arrow + strconv.Itoa(int(binary.BigEndian.Uint16(h[2:])))
}

package link

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// nshSize is the bytes of an NSH without its context headers.
const nshSize = 8

// nshTable is the network service header without its context headers:
//
//	| Ver 2 bits | O 1 bit | U 1 bit | TTL 6 bits | Length 6 bits | U 4 bits |
//	| MD Type 4 bits | Next Protocol 8 bits | SPI 24 bits | SI 8 bits |
var nshTable = field.Table{
	Key: "nsh", Name: "NSH", Title: "Network Service Header", Ref: "RFC 8300 section 2",
	Fields: []field.Field{
		{Name: "Ver", Key: "version", Bit: 0, Width: 2, Doc: "0"},
		{Name: "O", Key: "o", Bit: 2, Width: 1, Format: field.Flag, Doc: "operations, administration or maintenance"},
		{Name: "U", Key: "u1", Bit: 3, Width: 1, Doc: "0"},
		{Name: "TTL", Key: "ttl", Bit: 4, Width: 6, Doc: "service functions left"},
		{Name: "Length", Key: "length", Bit: 10, Width: 6, Doc: "of this header and its context, in units of four bytes"},
		{Name: "U", Key: "u2", Bit: 16, Width: 4, Format: field.Hex, Doc: "0"},
		{Name: "MD Type", Key: "mdtype", Bit: 20, Width: 4, Doc: "format of the context"},
		{Name: "Next Protocol", Key: "nextproto", Bit: 24, Width: 8, Enum: nshNextName, Doc: "what follows"},
		{Name: "SPI", Key: "spi", Bit: 32, Width: 24, Doc: "which chain of service functions"},
		{Name: "SI", Key: "si", Bit: 56, Width: 8, Doc: "place in the chain"},
	},
}

// nshContextTable is the name of the context headers; they are shown as bytes.
var nshContextTable = field.Table{Key: "nsh.context", Name: "NSH context", Title: "NSH context headers", Ref: "RFC 8300 sections 2.4 and 2.5"}

// The Next Protocols of NSH (RFC 8300 section 9.1.4).
const (
	nshIPv4     = 1
	nshIPv6     = 2
	nshEthernet = 3
	nshNSH      = 4
	nshMPLS     = 5
)

// nsh reads a network service header.
func (d *decoder) nsh(at int) {
	d.protocol = isNSH
	h := d.header(kindNSH, at, nshSize)
	if h == nil || h[0]>>6 != 0 {
		return
	}
	size := int(h[1]&0x3F) * 4
	if size < nshSize {
		d.blame(at+1, nshLessThanHeader)
		return
	}
	if size > nshSize && d.header(kindNSHContext, at+nshSize, size-nshSize) == nil {
		return
	}
	at += size
	d.within(d.wire)
	switch h[3] {
	case nshIPv4:
		d.ipv4(at)
	case nshIPv6:
		d.ipv6(at)
	case nshEthernet:
		d.ethernet(at)
	case nshNSH:
		if d.opens(NSH) {
			d.nsh(at)
		}
	case nshMPLS:
		if d.opens(MPLS) {
			d.mpls(at)
		}
	}
}

func nshNextName(v uint64) string {
	switch v {
	case nshIPv4:
		return "IPv4"
	case nshIPv6:
		return "IPv6"
	case nshEthernet:
		return "Ethernet"
	case nshNSH:
		return "NSH"
	case nshMPLS:
		return "MPLS"
	}
	return ""
}

func summariseNSH(h []byte) string {
	return "SPI " + strconv.Itoa(int(binary.BigEndian.Uint32(h[4:])>>8)) + ", SI " + strconv.Itoa(int(h[7]))
}

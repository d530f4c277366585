package link

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// The bytes of the headers of a PPPoE session.
const (
	pppoeSize = 6
	pppSize   = 2
)

// The protocols of PPP that Decode follows (RFC 1332 section 2, RFC 5072 section 2).
const (
	pppIPv4 = 0x0021
	pppIPv6 = 0x0057
)

// pppoeTable is the PPPoE header:
//
//	| VER 4 bits | TYPE 4 bits | CODE 1 | SESSION_ID 2 | LENGTH 2 |
var pppoeTable = field.Table{
	Key: "pppoe", Name: "PPPoE", Title: "PPP over Ethernet", Ref: "RFC 2516 section 4",
	Fields: []field.Field{
		{Name: "VER", Key: "version", Bit: 0, Width: 4, Doc: "1"},
		{Name: "TYPE", Key: "type", Bit: 4, Width: 4, Doc: "1"},
		{Name: "CODE", Key: "code", Bit: 8, Width: 8, Format: field.Hex, Doc: "0 for a session's packets"},
		{Name: "SESSION_ID", Key: "session_id", Bit: 16, Width: 16, Format: field.Hex, Doc: "which session of the two stations"},
		{Name: "LENGTH", Key: "payload_length", Bit: 32, Width: 16, Doc: "bytes after this header"},
	},
}

// pppTable is the protocol field of PPP, not compressed:
//
//	| Protocol 2 |
var pppTable = field.Table{
	Key: "ppp", Name: "PPP", Title: "Point-to-Point Protocol", Ref: "RFC 1661 section 2",
	Fields: []field.Field{
		{Name: "Protocol", Key: "protocol", Bit: 0, Width: 16, Format: field.Hex, Enum: pppProtocolName, Doc: "what follows"},
	},
}

// pppoe reads a packet of a PPPoE session.
func (d *decoder) pppoe(at int) {
	d.protocol = isPPPoE
	h := d.header(kindPPPoE, at, pppoeSize)
	if h == nil || h[0] != 0x11 || h[1] != 0 {
		return
	}
	end := at + pppoeSize + int(binary.BigEndian.Uint16(h[4:]))
	at += pppoeSize
	if at+pppSize > end {
		d.blame(at-2, pppoeLessThanHeader)
		return
	}
	h = d.header(kindPPP, at, pppSize)
	if h == nil {
		return
	}
	d.within(end)
	switch binary.BigEndian.Uint16(h) {
	case pppIPv4:
		d.ipv4(at + pppSize)
	case pppIPv6:
		d.ipv6(at + pppSize)
	}
}

func pppProtocolName(v uint64) string {
	switch v {
	case pppIPv4:
		return "IPv4"
	case pppIPv6:
		return "IPv6"
	case 0xC021:
		return "LCP"
	case 0xC023:
		return "PAP"
	case 0xC223:
		return "CHAP"
	case 0x8021:
		return "IPCP"
	case 0x8057:
		return "IPV6CP"
	}
	return ""
}

func summarisePPPoE(h []byte) string {
	return "session " + strconv.Itoa(int(binary.BigEndian.Uint16(h[2:])))
}

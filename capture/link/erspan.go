package link

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// The bytes of the ERSPAN headers.
const (
	erspanSize         = 4
	erspan2Size        = 4
	erspan3Size        = 8
	erspanPlatformSize = 8
)

// The versions of ERSPAN by the first four bits.
const (
	erspanTypeII  = 1
	erspanTypeIII = 2
)

// erspanTable is what the headers of ERSPAN types II and III begin with:
//
//	| Ver 4 bits | VLAN 12 bits | COS 3 bits | En/BSO 2 bits | T 1 bit | Session ID 10 bits |
var erspanTable = field.Table{
	Key: "erspan", Name: "ERSPAN", Title: "Encapsulated Remote SPAN", Ref: "draft-foschiano-erspan-03 sections 4.2 and 4.3",
	Fields: []field.Field{
		{Name: "Ver", Key: "version", Bit: 0, Width: 4, Doc: "1 for type II, 2 for type III"},
		{Name: "VLAN", Key: "vlan", Bit: 4, Width: 12, Doc: "virtual LAN of the mirrored frame, 0 for none"},
		{Name: "COS", Key: "cos", Bit: 16, Width: 3, Doc: "class of service of the mirrored frame"},
		{Name: "En/BSO", Key: "encap", Bit: 19, Width: 2, Doc: "type II: how the frame was tagged; type III: whether it was bad, short or oversized"},
		{Name: "T", Key: "truncated", Bit: 21, Width: 1, Format: field.Flag, Doc: "the mirror cut the frame"},
		{Name: "Session ID", Key: "session_id", Bit: 22, Width: 10, Doc: "which mirror session of the switch"},
	},
}

// erspan2Table is the rest of the header of type II:
//
//	| Reserved 12 bits | Index 20 bits |
var erspan2Table = field.Table{
	Key: "erspan.ii", Name: "ERSPAN II", Title: "ERSPAN type II", Ref: "draft-foschiano-erspan-03 section 4.2",
	Fields: []field.Field{
		{Name: "Reserved", Key: "reserved", Bit: 0, Width: 12, Format: field.Hex, Doc: "0"},
		{Name: "Index", Key: "index", Bit: 12, Width: 20, Doc: "the switch's port and direction, in its own numbers"},
	},
}

// erspan3Table is the rest of the header of type III:
//
//	| Timestamp 4 |
//	| SGT 2 | P 1 bit | FT 5 bits | Hw ID 6 bits | D 1 bit | Gra 2 bits | O 1 bit |
var erspan3Table = field.Table{
	Key: "erspan.iii", Name: "ERSPAN III", Title: "ERSPAN type III", Ref: "draft-foschiano-erspan-03 section 4.3",
	Fields: []field.Field{
		{Name: "Timestamp", Key: "timestamp", Bit: 0, Width: 32, Doc: "when the switch saw the frame, in units of Gra"},
		{Name: "SGT", Key: "sgt", Bit: 32, Width: 16, Doc: "security group tag"},
		{Name: "P", Key: "p", Bit: 48, Width: 1, Format: field.Flag, Doc: "what is carried is an Ethernet frame"},
		{Name: "FT", Key: "ft", Bit: 49, Width: 5, Enum: erspanFrameType, Doc: "what is carried"},
		{Name: "Hw ID", Key: "hw", Bit: 54, Width: 6, Doc: "which engine of the switch mirrored it"},
		{Name: "D", Key: "direction", Bit: 60, Width: 1, Enum: erspanDirection, Doc: "which way the frame went through the port"},
		{Name: "Gra", Key: "gra", Bit: 61, Width: 2, Enum: erspanGranularity, Doc: "unit of the timestamp"},
		{Name: "O", Key: "o", Bit: 63, Width: 1, Format: field.Flag, Doc: "a platform subheader follows"},
	},
}

// erspanPlatformTable is the subheader of type III with the bit O; what it says
// depends on the platform:
//
//	| Platf ID 6 bits | platform-specific 58 bits |
var erspanPlatformTable = field.Table{
	Key: "erspan.platform", Name: "ERSPAN platform", Title: "ERSPAN platform subheader", Ref: "draft-foschiano-erspan-03 section 4.4",
	Fields: []field.Field{
		{Name: "Platf ID", Key: "id", Bit: 0, Width: 6, Doc: "how the rest is laid out"},
		{Name: "Platform Specific Info", Key: "info", Bit: 6, Width: 26, Format: field.Hex, Doc: "switch, port or domain"},
		{Name: "Upper Timestamp", Key: "upper", Bit: 32, Width: 32, Doc: "platforms 3 and 7: the upper 32 bits of the timestamp; 5: its seconds"},
	},
}

// erspan reads the header of ERSPAN types II and III, by its version, at at.
func (d *decoder) erspan(at int) {
	d.protocol = isERSPAN
	h := d.header(kindERSPAN, at, erspanSize)
	if h == nil {
		return
	}
	at += erspanSize
	switch h[0] >> 4 {
	case erspanTypeII:
		if d.header(kindERSPAN2, at, erspan2Size) != nil {
			d.ethernet(at + erspan2Size)
		}
	case erspanTypeIII:
		if h = d.header(kindERSPAN3, at, erspan3Size); h == nil {
			return
		}
		at += erspan3Size
		if h[7]&1 != 0 { // O
			if d.header(kindERSPANPlatform, at, erspanPlatformSize) == nil {
				return
			}
			at += erspanPlatformSize
		}
		switch h[6] >> 2 & 0x1F { // FT
		case 0:
			d.ethernet(at)
		case 2:
			d.rawIP(at)
		}
	}
}

func erspanFrameType(v uint64) string {
	switch v {
	case 0:
		return "Ethernet"
	case 2:
		return "IP"
	}
	return ""
}

func erspanDirection(v uint64) string { return [...]string{"ingress", "egress"}[v&1] }

func erspanGranularity(v uint64) string {
	return [...]string{"100 µs", "100 ns", "IEEE 1588", "set by the user"}[v&3]
}

func summariseERSPAN(h []byte) string {
	return "session " + strconv.Itoa(int(binary.BigEndian.Uint16(h[2:])&0x3FF))
}

package link

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// The EtherTypes of headers that switches put into a frame, or before it.
const (
	etherFabricPath = 0x8903
	etherVNTag      = 0x8926
	etherPBB        = 0x88E7
	etherArista     = 0xD28B
)

// The bytes of those headers, from after their EtherType.
const (
	fabricPathSize   = 2
	vnTagSize        = 6
	pbbSize          = 4
	aristaSize       = 4
	aristaTime64Size = 10
	aristaTime48Size = 8
)

// fabricPathTable is what a FabricPath header has after its EtherType; a whole
// Ethernet frame follows. The addresses before it are those of switches:
//
//	| FTAG 10 bits | TTL 6 bits |
var fabricPathTable = field.Table{
	Key: "cfp", Name: "FabricPath", Title: "Cisco FabricPath", Ref: "Cisco FabricPath, as Wireshark's cfp has it",
	Fields: []field.Field{
		{Name: "FTAG", Key: "ftag", Bit: 0, Width: 10, Doc: "which tree of the fabric"},
		{Name: "TTL", Key: "ttl", Bit: 10, Width: 6, Doc: "switches left"},
	},
}

// vnTagTable is a VN-tag with the EtherType after it:
//
//	| D 1 bit | P 1 bit | DVIF 14 bits | L 1 bit | R 1 bit | Ver 2 bits | SVIF 12 bits |
//	| EtherType 2 |
var vnTagTable = field.Table{
	Key: "vntag", Name: "VN-tag", Title: "VN-tag", Ref: "Cisco VN-Tag, IEEE P802.1Qbh draft 0",
	Fields: []field.Field{
		{Name: "D", Key: "dir", Bit: 0, Width: 1, Format: field.Flag, Doc: "from the bridge to the port extender"},
		{Name: "P", Key: "ptr", Bit: 1, Width: 1, Format: field.Flag, Doc: "DVIF is a list of interfaces"},
		{Name: "DVIF", Key: "dst", Bit: 2, Width: 14, Doc: "interface that the frame is for"},
		{Name: "L", Key: "looped", Bit: 16, Width: 1, Format: field.Flag, Doc: "the frame goes back where it came from"},
		{Name: "R", Key: "reserved", Bit: 17, Width: 1, Doc: "0"},
		{Name: "Ver", Key: "version", Bit: 18, Width: 2, Doc: "0"},
		{Name: "SVIF", Key: "src", Bit: 20, Width: 12, Doc: "interface that the frame came from"},
		{Name: "EtherType", Key: "etype", Bit: 32, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "what follows the tag"},
	},
}

// pbbTable is the I-TAG of a provider backbone bridge without the addresses that
// end it: they begin the customer's frame, which follows:
//
//	| I-PCP 3 bits | I-DEI 1 bit | UCA 1 bit | Res1 1 bit | Res2 2 bits | I-SID 24 bits |
var pbbTable = field.Table{
	Key: "ieee8021ah", Name: "802.1ah", Title: "802.1ah I-TAG", Ref: "IEEE 802.1Q section 9.7",
	Fields: []field.Field{
		{Name: "I-PCP", Key: "priority", Bit: 0, Width: 3, Doc: "priority"},
		{Name: "I-DEI", Key: "drop", Bit: 3, Width: 1, Format: field.Flag, Doc: "may be dropped first"},
		{Name: "UCA", Key: "uca", Bit: 4, Width: 1, Format: field.Flag, Doc: "use customer address"},
		{Name: "Res1", Key: "res1", Bit: 5, Width: 1, Doc: "0"},
		{Name: "Res2", Key: "res2", Bit: 6, Width: 2, Doc: "0"},
		{Name: "I-SID", Key: "isid", Bit: 8, Width: 24, Doc: "which service of the backbone"},
	},
}

// aristaTable is what follows Arista's EtherType, up to the time stamp:
//
//	| Subtype 2 | Version 2 |
var aristaTable = field.Table{
	Key: "arista", Name: "Arista", Title: "Arista header", Ref: "Arista EOS TAP aggregation, timestamp header",
	Fields: []field.Field{
		{Name: "Subtype", Key: "sub_type", Bit: 0, Width: 16, Format: field.Hex, Doc: "1 for a timestamp"},
		{Name: "Version", Key: "version", Bit: 16, Width: 16, Format: field.Hex, Enum: aristaVersion, Doc: "clock and size of the timestamp"},
	},
}

// The two time stamps of Arista, with the EtherType after them:
//
//	| Seconds 4 | Nanoseconds 4 | EtherType 2 |
//	| Seconds, low half 2 | Nanoseconds 4 | EtherType 2 |
var (
	aristaTime64Table = field.Table{Key: "arista.time64", Name: "Arista time", Title: "Arista timestamp", Ref: "Arista EOS TAP aggregation, timestamp header",
		Fields: []field.Field{
			{Name: "Seconds", Key: "seconds", Bit: 0, Width: 32, Doc: "since 1970"},
			{Name: "Nanoseconds", Key: "nanoseconds", Bit: 32, Width: 32, Doc: "of the second"},
			{Name: "EtherType", Key: "etype", Bit: 64, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "what follows"},
		}}
	aristaTime48Table = field.Table{Key: "arista.time48", Name: "Arista time", Title: "Arista timestamp, short", Ref: "Arista EOS TAP aggregation, timestamp header",
		Fields: []field.Field{
			{Name: "Seconds", Key: "seconds", Bit: 0, Width: 16, Doc: "since 1970, the lower 16 bits"},
			{Name: "Nanoseconds", Key: "nanoseconds", Bit: 16, Width: 32, Doc: "of the second"},
			{Name: "EtherType", Key: "etype", Bit: 48, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "what follows"},
		}}
)

// The subtype and the versions of Arista's time stamps: TAI or UTC, of 64 or 48 bits.
const (
	aristaTimeStamp = 0x0001
	aristaTAI64     = 0x0010
	aristaTAI48     = 0x0020
	aristaUTC64     = 0x0110
	aristaUTC48     = 0x0120
)

// switchHeader reads what one of the EtherTypes above announces. It reports false for
// any other, and for one that is left.
func (d *decoder) switchHeader(t uint16, at int) bool {
	switch {
	case t == etherFabricPath && d.opens(FabricPath):
		d.protocol = isFabricPath
		if d.header(kindFabricPath, at, fabricPathSize) != nil {
			d.within(d.wire)
			d.ethernet(at + fabricPathSize)
		}
	case t == etherVNTag && d.opens(VNTag):
		d.protocol = isVNTag
		if h := d.header(kindVNTag, at, vnTagSize); h != nil {
			d.etherType(binary.BigEndian.Uint16(h[4:]), at+vnTagSize)
		}
	case t == etherPBB && d.opens(PBB):
		d.protocol = isPBB
		if d.header(kindPBB, at, pbbSize) != nil {
			d.within(d.wire)
			d.ethernet(at + pbbSize)
		}
	case t == etherArista && d.opens(AristaTime):
		d.arista(at)
	default:
		return false
	}
	return true
}

func (d *decoder) arista(at int) {
	d.protocol = isArista
	h := d.header(kindArista, at, aristaSize)
	if h == nil || binary.BigEndian.Uint16(h) != aristaTimeStamp {
		return
	}
	kind, size := kindAristaTime64, aristaTime64Size
	switch binary.BigEndian.Uint16(h[2:]) {
	case aristaTAI64, aristaUTC64:
	case aristaTAI48, aristaUTC48:
		kind, size = kindAristaTime48, aristaTime48Size
	default:
		return
	}
	at += aristaSize
	if h = d.header(kind, at, size); h != nil {
		d.etherType(binary.BigEndian.Uint16(h[size-2:]), at+size)
	}
}

func aristaVersion(v uint64) string {
	switch v {
	case aristaTAI64:
		return "TAI, 64 bits"
	case aristaTAI48:
		return "TAI, 48 bits"
	case aristaUTC64:
		return "UTC, 64 bits"
	case aristaUTC48:
		return "UTC, 48 bits"
	}
	return ""
}

func summariseVNTag(h []byte) string {
	return strconv.Itoa(int(binary.BigEndian.Uint16(h[2:])&0xFFF)) + arrow + strconv.Itoa(int(binary.BigEndian.Uint16(h)&0x3FFF))
}

func summarisePBB(h []byte) string {
	return "I-SID " + strconv.Itoa(int(binary.BigEndian.Uint32(h)&0xFFFFFF))
}

package link

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// The bytes of the ERF headers.
const (
	erfSize          = 16
	erfExtensionSize = 8
	erfEthernetSize  = 2
)

// The ERF record types that Decode follows.
const (
	erfEthernet          = 2
	erfColorEthernet     = 11
	erfDSMColorEthernet  = 16
	erfColorHashEthernet = 20
	erfInfiniBand        = 21
	erfIPv4              = 22
	erfIPv6              = 23
	erfInfiniBandLink    = 25
)

// erfTable is the header of an Extensible Record Format record:
//
//	| Timestamp 8, little-endian | EH 1 bit | Type 7 bits | Flags 1 | rlen 2 |
//	| lctr or color 2 | wlen 2 |
var erfTable = field.Table{
	Key: "erf", Name: "ERF", Title: "Extensible Record Format", Ref: "Endace ERF types reference",
	Fields: []field.Field{
		{Name: "Timestamp", Key: "ts", Bit: 0, Width: 64, Format: field.Bytes, Doc: "seconds since 1970 with 32 bits of fraction, least significant byte first"},
		{Name: "EH", Key: "eh", Bit: 64, Width: 1, Format: field.Flag, Doc: "an extension header follows"},
		{Name: "Type", Key: "type", Bit: 65, Width: 7, Enum: erfTypeName, Doc: "what the record holds"},
		{Name: "Flags", Key: "flags", Bit: 72, Width: 8, Format: field.Hex, Doc: "capture interface, truncation and receive errors"},
		{Name: "rlen", Key: "rlen", Bit: 80, Width: 16, Doc: "bytes of the record in the adapter's buffer; a file may hold fewer"},
		{Name: "lctr", Key: "lctr", Bit: 96, Width: 16, Doc: "records lost before this one, or its color"},
		{Name: "wlen", Key: "wlen", Bit: 112, Width: 16, Doc: "bytes of the frame on the wire"},
	},
}

// erfExtensionTable is one ERF extension header:
//
//	| EH 1 bit | Type 7 bits | Content 7 |
var erfExtensionTable = field.Table{
	Key: "erf.ehdr", Name: "ERF extension", Title: "ERF extension header", Ref: "Endace ERF types reference",
	Fields: []field.Field{
		{Name: "EH", Key: "eh", Bit: 0, Width: 1, Format: field.Flag, Doc: "another extension header follows"},
		{Name: "Type", Key: "type", Bit: 1, Width: 7, Enum: erfExtensionName, Doc: "what the content is"},
		{Name: "Content", Key: "content", Bit: 8, Width: 56, Format: field.Bytes, Doc: "as the type says"},
	},
}

// erfEthernetTable is what an Ethernet record has before the frame:
//
//	| Offset 1 | Pad 1 |
var erfEthernetTable = field.Table{
	Key: "erf.eth", Name: "ERF Ethernet", Title: "ERF Ethernet pad", Ref: "Endace ERF types reference",
	Fields: []field.Field{
		{Name: "Offset", Key: "offset", Bit: 0, Width: 8, Doc: "bytes of the frame that the adapter left out before the first"},
		{Name: "Pad", Key: "pad", Bit: 8, Width: 8, Format: field.Hex, Doc: "aligns the IP header"},
	},
}

// erf reads an ERF record.
func (d *decoder) erf() {
	d.protocol = isERF
	h := d.header(kindERF, 0, erfSize)
	if h == nil {
		return
	}
	at := erfSize
	more := h[8]&0x80 != 0
	for n := 0; more; n++ {
		if n == maxERFExtensions {
			d.blame(at, manyERFExtensions)
			return
		}
		e := d.header(kindERFExtension, at, erfExtensionSize)
		if e == nil {
			return
		}
		more = e[0]&0x80 != 0
		at += erfExtensionSize
	}
	wire := int(binary.BigEndian.Uint16(h[14:]))
	switch t := h[8] & 0x7F; t {
	case erfInfiniBand:
		mislabelled := d.mislabelled(at, wire)
		d.extend(at + wire)
		if mislabelled {
			d.ethernet(at)
		} else {
			d.infiniband(at)
		}
	case erfEthernet, erfColorEthernet, erfDSMColorEthernet, erfColorHashEthernet:
		if d.header(kindERFEthernet, at, erfEthernetSize) != nil {
			d.extend(at + erfEthernetSize + wire)
			d.ethernet(at + erfEthernetSize)
		}
	case erfIPv4:
		d.extend(at + wire)
		d.ipv4(at)
	case erfIPv6:
		d.extend(at + wire)
		d.ipv6(at)
	case erfInfiniBandLink:
		// Flow control between the two ends of a link; no packet in it.
		d.protocol = isInfiniBandLink
	default:
		d.is(byERFType, uint16(t))
	}
}

// extend moves the end of the frame on the wire. The file's length of an ERF
// record often leaves out the pad, the extensions or the CRCs, so the record's
// wlen counts where it is more; rlen can be off by the same bytes and is not
// asked.
func (d *decoder) extend(end int) { d.wire = max(d.wire, end) }

// mislabelled reports whether an InfiniBand record really begins with an
// Ethernet header. ibdump writes such records on a RoCE port. The record is
// taken at its word if it can be an LRH: version 0, reserved bits 0, and a
// length that is that of the frame, by the file or by wlen. If it cannot, the
// EtherType decides, or the lack of it in a frame that was cut before.
func (d *decoder) mislabelled(at, wlen int) bool {
	h := d.data[at:]
	if len(h) < lrhSize {
		return false
	}
	fits := func(frame int) bool {
		// After the ICRC are a VCRC of 2 bytes and a pad of up to 7.
		spare := frame - pktLen(h)
		return -icrcSize <= spare && spare <= 2+7
	}
	if h[0]&0x0F == 0 && h[1]&0x0C == 0 && h[4]&0xF8 == 0 && (fits(d.wire-at) || fits(wlen)) {
		return false
	}
	if len(h) < ethernetSize {
		return true
	}
	switch binary.BigEndian.Uint16(h[12:]) {
	case etherRoCE, etherIPv4, etherIPv6, etherVLAN, etherServiceTag:
		return true
	}
	return false
}

func summariseERF(h []byte) string { return erfTypeName(uint64(h[8] & 0x7F)) }

func summariseERFExtension(h []byte) string { return erfExtensionName(uint64(h[0] & 0x7F)) }

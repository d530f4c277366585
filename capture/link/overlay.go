package link

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// The UDP ports of the overlays (RFC 7348 section 8, RFC 8926 section 3.3).
const (
	vxlanPort  = 4789
	genevePort = 6081
)

// The bytes of their headers, of Geneve without options.
const (
	vxlanSize  = 8
	geneveSize = 8
)

// vxlanTable is the VXLAN header:
//
//	| Flags 8 bits | Reserved 24 bits | VNI 24 bits | Reserved 8 bits |
var vxlanTable = field.Table{
	Key: "vxlan", Name: "VXLAN", Title: "Virtual eXtensible Local Area Network", Ref: "RFC 7348 section 5",
	Fields: []field.Field{
		{Name: "Flags", Key: "flags", Bit: 0, Width: 8, Format: field.Hex, Doc: "0x08: the VNI counts"},
		{Name: "Reserved", Key: "reserved1", Bit: 8, Width: 24, Format: field.Hex, Doc: "0; extensions have a group policy there"},
		{Name: "VNI", Key: "vni", Bit: 32, Width: 24, Doc: "which virtual network, a tenant's"},
		{Name: "Reserved", Key: "reserved2", Bit: 56, Width: 8, Format: field.Hex, Doc: "0"},
	},
}

// geneveTable is the Geneve header without options:
//
//	| Ver 2 bits | Opt Len 6 bits | O 1 bit | C 1 bit | Rsvd 6 bits | Protocol Type 2 |
//	| VNI 24 bits | Reserved 8 bits |
var geneveTable = field.Table{
	Key: "geneve", Name: "Geneve", Title: "Generic Network Virtualization Encapsulation", Ref: "RFC 8926 section 3.4",
	Fields: []field.Field{
		{Name: "Ver", Key: "version", Bit: 0, Width: 2, Doc: "0"},
		{Name: "Opt Len", Key: "optlen", Bit: 2, Width: 6, Doc: "length of the options in units of four bytes"},
		{Name: "O", Key: "oam", Bit: 8, Width: 1, Format: field.Flag, Doc: "a control packet of the tunnel itself"},
		{Name: "C", Key: "critical", Bit: 9, Width: 1, Format: field.Flag, Doc: "an option must be understood"},
		{Name: "Rsvd", Key: "reserved1", Bit: 10, Width: 6, Format: field.Hex, Doc: "0"},
		{Name: "Protocol Type", Key: "protocol", Bit: 16, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "EtherType of what is carried"},
		{Name: "VNI", Key: "vni", Bit: 32, Width: 24, Doc: "which virtual network, a tenant's"},
		{Name: "Reserved", Key: "reserved2", Bit: 56, Width: 8, Format: field.Hex, Doc: "0"},
	},
}

// geneveOptionsTable is the name of the Geneve options; they are shown as bytes.
var geneveOptionsTable = field.Table{Key: "geneve.options", Name: "Geneve options", Title: "Geneve options", Ref: "RFC 8926 section 3.5"}

// overlay reads what UDP to one of the ports above carries, up to end.
func (d *decoder) overlay(at, end int) {
	switch {
	case d.DstPort == vxlanPort && d.opens(VXLAN):
		d.protocol = isVXLAN
		if h := d.header(kindVXLAN, at, vxlanSize); h != nil && h[0]&0x08 != 0 {
			d.within(end)
			d.ethernet(at + vxlanSize)
		}
	case d.DstPort == genevePort && d.opens(Geneve):
		d.geneve(at, end)
	}
}

func (d *decoder) geneve(at, end int) {
	d.protocol = isGeneve
	h := d.header(kindGeneve, at, geneveSize)
	if h == nil || h[0]>>6 != 0 {
		return
	}
	at += geneveSize
	if size := int(h[0]&0x3F) * 4; size > 0 {
		if at+size > end {
			d.blame(at-geneveSize, geneveBeyondPacket)
			return
		}
		if d.header(kindGeneveOptions, at, size) == nil {
			return
		}
		at += size
	}
	d.within(end)
	if proto := binary.BigEndian.Uint16(h[2:]); proto == etherBridged {
		d.ethernet(at)
	} else if proto >= minEtherType {
		d.etherType(proto, at)
	}
}

// summariseVNI is the virtual network of a VXLAN or Geneve header.
func summariseVNI(h []byte) string {
	return "VNI " + strconv.Itoa(int(binary.BigEndian.Uint32(h[4:])>>8))
}

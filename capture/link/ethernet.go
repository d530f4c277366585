package link

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// ethernetSize and vlanSize are the bytes of an Ethernet header, and of a tag
// with the EtherType after it.
const (
	ethernetSize = 14
	vlanSize     = 4
)

// minEtherType is the least value that is an EtherType; what is below is the
// length of an 802.3 frame (IEEE 802.3 section 3.2.6).
const minEtherType = 0x0600

// ethernetTable is the Ethernet header:
//
//	| Destination 6 | Source 6 | EtherType 2 |
var ethernetTable = field.Table{
	Key: "eth", Name: "Ethernet", Title: "Ethernet", Ref: "IEEE 802.3 section 3.1.1",
	Fields: []field.Field{
		{Name: "Destination", Key: "dst", Bit: 0, Width: 48, Format: field.MAC, Doc: "station address that the frame is for"},
		{Name: "Source", Key: "src", Bit: 48, Width: 48, Format: field.MAC, Doc: "station address that sent the frame"},
		{Name: "EtherType", Key: "type", Bit: 96, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "what follows, or the length of an 802.3 frame"},
	},
}

// vlanTable is what follows an EtherType that announces a tag:
//
//	| PCP 3 bits | DEI 1 bit | VID 12 bits | EtherType 16 bits |
var vlanTable = field.Table{
	Key: "vlan", Name: "802.1Q", Title: "802.1Q tag", Ref: "IEEE 802.1Q section 9.6",
	Fields: []field.Field{
		{Name: "PCP", Key: "priority", Bit: 0, Width: 3, Doc: "priority; PFC pauses by it"},
		{Name: "DEI", Key: "dei", Bit: 3, Width: 1, Format: field.Flag, Doc: "may be dropped first"},
		{Name: "VID", Key: "id", Bit: 4, Width: 12, Doc: "virtual LAN, 0 for none"},
		{Name: "EtherType", Key: "etype", Bit: 16, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "what follows the tag"},
	},
}

// ethernet reads an Ethernet header.
func (d *decoder) ethernet(at int) {
	d.protocol = isEthernet
	if h := d.header(kindEthernet, at, ethernetSize); h != nil {
		d.etherType(binary.BigEndian.Uint16(h[12:]), at+ethernetSize)
	}
}

// etherType reads what an EtherType announces, at the byte after it.
func (d *decoder) etherType(t uint16, at int) {
	for ; t == etherVLAN || t == etherServiceTag || t == etherOldTag; d.tags++ {
		d.protocol = isVLAN
		if d.tags == maxTags {
			d.blame(at-2, manyTags)
			return
		}
		h := d.header(kindVLAN, at, vlanSize)
		if h == nil {
			return
		}
		t = binary.BigEndian.Uint16(h[2:])
		at += vlanSize
	}
	switch {
	case t == etherIPv4:
		d.ipv4(at)
	case t == etherIPv6:
		d.ipv6(at)
	case t == etherRoCE:
		d.rocev1(at)
	case (t == etherMPLS || t == etherMPLSMulticast) && d.opens(MPLS):
		d.mpls(at)
	case t == etherPPPoE && d.opens(PPPoE):
		d.pppoe(at)
	case t == etherNSH && d.opens(NSH):
		d.nsh(at)
	case d.switchHeader(t, at):
	case t == etherMACControl:
		d.protocol = macControl(d.data[at:])
		d.number = uint16(at)
	case t < minEtherType:
		d.protocol = isLLC
	default:
		d.is(byEtherType, t)
	}
}

// macControl names a MAC control frame by its opcode, the first two bytes
// (IEEE 802.3 annex 31A).
func macControl(b []byte) protocol {
	if len(b) >= 2 {
		switch binary.BigEndian.Uint16(b) {
		case 0x0001:
			return isPause
		case 0x0101:
			return isPFCPause
		}
	}
	return isMACControl
}

// summariseEthernet is who sent the frame to whom.
func summariseEthernet(h []byte) string {
	b := ethernetTable.Lookup("src").AppendValue(nil, h)
	b = append(b, arrow...)
	return string(ethernetTable.Lookup("dst").AppendValue(b, h))
}

// summariseVLAN is the virtual LAN and the priority.
func summariseVLAN(h []byte) string {
	tci := binary.BigEndian.Uint16(h)
	return "VID " + strconv.Itoa(int(tci&0xFFF)) + ", PCP " + strconv.Itoa(int(tci>>13))
}

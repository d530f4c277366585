package link

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// The bytes of the headers that stand in for a link header.
const (
	sllSize  = 16
	sll2Size = 20
	nullSize = 4
)

// sllTable is the Linux cooked header, version 1:
//
//	| Packet type 2 | ARPHRD 2 | Address length 2 | Address 8 | Protocol 2 |
var sllTable = field.Table{
	Key: "sll", Name: "SLL", Title: "Linux cooked capture", Ref: "LINKTYPE_LINUX_SLL",
	Fields: []field.Field{
		{Name: "Packet type", Key: "pkttype", Bit: 0, Width: 16, Enum: sllPacketType, Doc: "who sent the frame to whom"},
		{Name: "ARPHRD type", Key: "hatype", Bit: 16, Width: 16, Enum: arphrdName, Doc: "type of the interface"},
		{Name: "Address length", Key: "halen", Bit: 32, Width: 16, Doc: "bytes of the sender's address that count, 0 to 8"},
		{Name: "Address", Key: "src", Bit: 48, Width: 64, Format: field.Bytes, Doc: "the sender's link address, the first bytes of it"},
		{Name: "Protocol", Key: "etype", Bit: 112, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "EtherType of what follows"},
	},
}

// sll2Table is the Linux cooked header, version 2:
//
//	| Protocol 2 | reserved 2 | Interface 4 | ARPHRD 2 | Packet type 1 |
//	| Address length 1 | Address 8 |
var sll2Table = field.Table{
	Key: "sll2", Name: "SLL2", Title: "Linux cooked capture v2", Ref: "LINKTYPE_LINUX_SLL2",
	Fields: []field.Field{
		{Name: "Protocol", Key: "etype", Bit: 0, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "EtherType of what follows"},
		{Name: "Reserved", Key: "reserved", Bit: 16, Width: 16, Format: field.Hex, Doc: "0"},
		{Name: "Interface index", Key: "ifindex", Bit: 32, Width: 32, Doc: "number of the interface on the capturing host"},
		{Name: "ARPHRD type", Key: "hatype", Bit: 64, Width: 16, Enum: arphrdName, Doc: "type of the interface"},
		{Name: "Packet type", Key: "pkttype", Bit: 80, Width: 8, Enum: sllPacketType, Doc: "who sent the frame to whom"},
		{Name: "Address length", Key: "halen", Bit: 88, Width: 8, Doc: "bytes of the sender's address that count, 0 to 8"},
		{Name: "Address", Key: "src", Bit: 96, Width: 64, Format: field.Bytes, Doc: "the sender's link address, the first bytes of it"},
	},
}

// nullTable is the address family before a loopback frame. LINKTYPE_NULL has
// it in the byte order of the capturing host, so it is shown as bytes.
var nullTable = field.Table{
	Key: "null", Name: "Null", Title: "Loopback", Ref: "LINKTYPE_NULL, LINKTYPE_LOOP",
	Fields: []field.Field{
		{Name: "Family", Key: "family", Bit: 0, Width: 32, Format: field.Bytes, Doc: "AF_INET or AF_INET6 of the capturing host"},
	},
}

// sll reads a Linux cooked header, version 1.
func (d *decoder) sll() {
	d.protocol = isSLL
	if h := d.header(kindSLL, 0, sllSize); h != nil {
		d.etherType(binary.BigEndian.Uint16(h[14:]), sllSize)
	}
}

// sll2 reads a Linux cooked header, version 2.
func (d *decoder) sll2() {
	d.protocol = isSLL2
	if h := d.header(kindSLL2, 0, sll2Size); h != nil {
		d.etherType(binary.BigEndian.Uint16(h), sll2Size)
	}
}

// loopback reads the address family of a loopback frame. AF_INET is 2 on every
// system; AF_INET6 is 10, 24, 28 or 30.
func (d *decoder) loopback(t Type) {
	d.protocol = isLoopback
	h := d.header(kindNull, 0, nullSize)
	if h == nil {
		return
	}
	family := binary.BigEndian.Uint32(h)
	if t == TypeNull && family > 0xFFFF {
		family = binary.LittleEndian.Uint32(h)
	}
	switch family {
	case 2:
		d.ipv4(nullSize)
	case 10, 24, 28, 30:
		d.ipv6(nullSize)
	}
}

func summariseSLL(h []byte) string {
	return sllPacketType(uint64(binary.BigEndian.Uint16(h)))
}

func summariseSLL2(h []byte) string { return sllPacketType(uint64(h[10])) }

// sllPacketType names the direction of a cooked frame.
func sllPacketType(v uint64) string {
	switch v {
	case 0:
		return "to this host"
	case 1:
		return "broadcast"
	case 2:
		return "multicast"
	case 3:
		return "to another host"
	case 4:
		return "sent by this host"
	}
	return ""
}

// arphrdName names the interface types that carry RDMA, as Linux does.
func arphrdName(v uint64) string {
	switch v {
	case 1:
		return "ARPHRD_ETHER"
	case 32:
		return "ARPHRD_INFINIBAND"
	case 772:
		return "ARPHRD_LOOPBACK"
	}
	return ""
}

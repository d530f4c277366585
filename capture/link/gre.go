package link

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// The bytes of a GRE header, and of each of the fields that it may have after
// that.
const (
	greSize      = 4
	greFieldSize = 4
)

// The bits of a GRE header that Decode looks at.
const (
	greChecksum = 0x8000
	greRouting  = 0x4000 // RFC 1701; a source route follows
	greKey      = 0x2000
	greSequence = 0x1000
	greVersion  = 0x0007
)

// The protocol types of GRE that are no EtherTypes of frames on a link.
const (
	etherBridged   = 0x6558 // transparent Ethernet bridging: a whole Ethernet frame
	etherERSPAN    = 0x88BE // types I and II
	etherERSPANIII = 0x22EB
)

// greTable is the GRE header without the fields that its bits announce:
//
//	| C 1 bit | R 1 bit | K 1 bit | S 1 bit | s 1 bit | Recur 3 bits | A 1 bit |
//	| Flags 4 bits | Ver 3 bits | Protocol Type 2 |
var greTable = field.Table{
	Key: "gre", Name: "GRE", Title: "Generic Routing Encapsulation", Ref: "RFC 2784 section 2, RFC 2890",
	Fields: []field.Field{
		{Name: "Checksum Present", Key: "c", Bit: 0, Width: 1, Format: field.Flag, Doc: "a checksum follows"},
		{Name: "Routing Present", Key: "r", Bit: 1, Width: 1, Format: field.Flag, Doc: "a source route follows (RFC 1701)"},
		{Name: "Key Present", Key: "k", Bit: 2, Width: 1, Format: field.Flag, Doc: "a key follows"},
		{Name: "Sequence Number Present", Key: "s", Bit: 3, Width: 1, Format: field.Flag, Doc: "a sequence number follows"},
		{Name: "Reserved0", Key: "reserved0", Bit: 4, Width: 9, Format: field.Hex, Doc: "0"},
		{Name: "Ver", Key: "version", Bit: 13, Width: 3, Doc: "0; 1 is PPTP's"},
		{Name: "Protocol Type", Key: "protocol", Bit: 16, Width: 16, Format: field.Hex, Enum: etherTypeEnum, Doc: "EtherType of what is carried"},
	},
}

// What follows a GRE header by its bits.
var (
	greChecksumTable = field.Table{Key: "gre.csum", Name: "GRE Checksum", Title: "GRE checksum", Ref: "RFC 2784 section 2.5",
		Fields: []field.Field{
			{Name: "Checksum", Key: "checksum", Bit: 0, Width: 16, Format: field.Hex, Doc: "sum over the GRE header and what it carries"},
			{Name: "Reserved1", Key: "reserved1", Bit: 16, Width: 16, Format: field.Hex, Doc: "0"},
		}}
	greKeyTable = field.Table{Key: "gre.key", Name: "GRE Key", Title: "GRE key", Ref: "RFC 2890 section 2.1",
		Fields: []field.Field{
			{Name: "Key", Key: "value", Bit: 0, Width: 32, Format: field.Hex, Doc: "flow of the tunnel; NVGRE has its subnet in the upper 24 bits"},
		}}
	greSequenceTable = field.Table{Key: "gre.seq", Name: "GRE Sequence Number", Title: "GRE sequence number", Ref: "RFC 2890 section 2.2",
		Fields: []field.Field{
			{Name: "Sequence Number", Key: "number", Bit: 0, Width: 32, Doc: "counts the packets of the tunnel or the mirror session"},
		}}
)

// gre reads a GRE header in the IP packet that ends at ipEnd.
func (d *decoder) gre(at int) {
	tunnel := GRE
	if at+greSize <= len(d.data) {
		if proto := binary.BigEndian.Uint16(d.data[at+2:]); proto == etherERSPAN || proto == etherERSPANIII {
			tunnel = ERSPAN
		}
	}
	if !d.opens(tunnel) {
		return
	}
	h := d.header(kindGRE, at, greSize)
	if h == nil {
		return
	}
	bits, proto := binary.BigEndian.Uint16(h), binary.BigEndian.Uint16(h[2:])
	if bits&(greRouting|greVersion) != 0 {
		return // a source route, or PPTP
	}
	at += greSize
	for _, f := range [...]struct {
		bit  uint16
		kind layerKind
	}{{greChecksum, kindGREChecksum}, {greKey, kindGREKey}, {greSequence, kindGRESequence}} {
		if bits&f.bit == 0 {
			continue
		}
		if d.header(f.kind, at, greFieldSize) == nil {
			return
		}
		at += greFieldSize
	}
	if at > d.ipEnd {
		d.blame(at, greBeyondPacket)
		return
	}
	d.within(d.ipEnd)
	switch {
	case proto == etherERSPAN && bits&greSequence == 0:
		d.ethernet(at) // type I has no header of its own
	case proto == etherERSPAN || proto == etherERSPANIII:
		d.erspan(at)
	case proto == etherBridged:
		d.ethernet(at)
	case proto >= minEtherType:
		d.etherType(proto, at)
	}
}

func summariseGRE(h []byte) string { return etherTypeEnum(uint64(binary.BigEndian.Uint16(h[2:]))) }

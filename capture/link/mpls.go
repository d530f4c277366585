package link

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// The bytes of an entry of an MPLS label stack, and of a pseudowire's control word.
const (
	labelSize       = 4
	controlWordSize = 4
)

// mplsTable is one entry of a label stack:
//
//	| Label 20 bits | TC 3 bits | S 1 bit | TTL 8 bits |
var mplsTable = field.Table{
	Key: "mpls", Name: "MPLS", Title: "MPLS label stack entry", Ref: "RFC 3032 section 2.1, RFC 5462",
	Fields: []field.Field{
		{Name: "Label", Key: "label", Bit: 0, Width: 20, Enum: mplsLabelName, Doc: "which path, or which pseudowire"},
		{Name: "TC", Key: "tc", Bit: 20, Width: 3, Doc: "traffic class"},
		{Name: "S", Key: "bottom", Bit: 23, Width: 1, Format: field.Flag, Doc: "bottom of the stack"},
		{Name: "TTL", Key: "ttl", Bit: 24, Width: 8, Doc: "hops left"},
	},
}

// controlWordTable is the control word of an Ethernet pseudowire:
//
//	| 0000 | Reserved 12 bits | Sequence Number 16 bits |
var controlWordTable = field.Table{
	Key: "pwcw", Name: "Control word", Title: "Pseudowire control word", Ref: "RFC 4448 section 4.6",
	Fields: []field.Field{
		{Name: "0000", Key: "nibble", Bit: 0, Width: 4, Doc: "0, so that it is not taken for IP"},
		{Name: "Reserved", Key: "reserved", Bit: 4, Width: 12, Format: field.Hex, Doc: "0"},
		{Name: "Sequence Number", Key: "seq", Bit: 16, Width: 16, Doc: "0 where the frames are not counted"},
	},
}

// mpls reads a label stack and what is under it.
func (d *decoder) mpls(at int) {
	d.protocol = isMPLS
	for bottom := false; !bottom; d.labels++ {
		if d.labels == maxLabels {
			d.blame(at, manyLabels)
			return
		}
		h := d.header(kindMPLS, at, labelSize)
		if h == nil {
			return
		}
		bottom = h[2]&1 != 0
		at += labelSize
	}
	d.within(d.wire)
	switch d.underLabels(at) {
	case kindIPv4:
		d.ipv4(at)
	case kindIPv6:
		d.ipv6(at)
	case kindControlWord:
		if d.header(kindControlWord, at, controlWordSize) != nil {
			d.ethernet(at + controlWordSize)
		}
	case kindEthernet:
		d.ethernet(at)
	}
}

// underLabels guesses what is under a label stack, since nothing in the frame says
// so: routers know it by the label. The first four bits tell IP from a control word
// (RFC 4385 section 3, RFC 4928 section 3), but an Ethernet frame without a control
// word begins with an address, of which any bits are possible. Where there is an
// EtherType that is known after two addresses, it is such a frame, unless the same
// bytes are an IPv4 header whose checksum is right, or a known EtherType is also where
// a control word would have it. It is kindCount for what cannot be anything of these.
func (d *decoder) underLabels(at int) layerKind {
	if at >= len(d.data) {
		return kindEthernet
	}
	bare := d.announces(at + ethernetSize - 2)
	switch d.data[at] >> 4 {
	case 4:
		if bare && !d.rightChecksum(at) {
			return kindEthernet
		}
		return kindIPv4
	case 6:
		if bare {
			return kindEthernet
		}
		return kindIPv6
	case 0:
		if bare && !d.announces(at+controlWordSize+ethernetSize-2) {
			return kindEthernet
		}
		return kindControlWord
	case 1:
		if !bare {
			return kindCount // an associated channel (RFC 4385 section 5)
		}
	}
	return kindEthernet
}

// announces reports whether an EtherType with a name stands at at.
func (d *decoder) announces(at int) bool {
	return at+2 <= len(d.data) && etherTypeName(binary.BigEndian.Uint16(d.data[at:])) != ""
}

// rightChecksum reports whether the bytes at at are an IPv4 header whose checksum is
// right.
func (d *decoder) rightChecksum(at int) bool {
	size := int(d.data[at]&0x0F) * 4
	if size < ipv4Size || at+size > len(d.data) {
		return false
	}
	sum := uint32(0)
	for h := d.data[at : at+size]; len(h) > 0; h = h[2:] {
		sum += uint32(binary.BigEndian.Uint16(h))
	}
	sum = sum>>16 + sum&0xFFFF
	return sum>>16+sum&0xFFFF == 0xFFFF
}

// mplsLabelName names the labels that have a meaning of their own (IANA "Special-Purpose
// Multiprotocol Label Switching (MPLS) Label Values").
func mplsLabelName(v uint64) string {
	switch v {
	case 0:
		return "IPv4 Explicit NULL"
	case 1:
		return "Router Alert"
	case 2:
		return "IPv6 Explicit NULL"
	case 3:
		return "Implicit NULL"
	case 7:
		return "Entropy Label Indicator"
	case 13:
		return "GAL"
	}
	return ""
}

func summariseMPLS(h []byte) string {
	return "label " + strconv.Itoa(int(binary.BigEndian.Uint32(h)>>12))
}

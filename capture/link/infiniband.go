package link

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// The bytes of the InfiniBand link and network headers.
const (
	lrhSize = 8
	grhSize = 40
)

// nextIBA is the GRH's NxtHdr for the InfiniBand transport.
const nextIBA = 0x1B

// icrcSize is the bytes of the ICRC. Some adapters hand up native frames
// without it and the VCRC after it.
const icrcSize = 4

// lrhTable is the local route header:
//
//	| VL 4 bits | LVer 4 bits | SL 4 bits | reserved 2 bits | LNH 2 bits |
//	| DLID 2 | reserved 5 bits | PktLen 11 bits | SLID 2 |
var lrhTable = field.Table{
	Key: "lrh", Name: "LRH", Title: "Local Route Header", Ref: "IBA 7.7",
	Fields: []field.Field{
		{Name: "VL", Key: "vl", Bit: 0, Width: 4, Doc: "virtual lane; 15 is subnet management"},
		{Name: "LVer", Key: "lver", Bit: 4, Width: 4, Doc: "0"},
		{Name: "SL", Key: "sl", Bit: 8, Width: 4, Doc: "service level"},
		{Name: "Reserved", Key: "reserved1", Bit: 12, Width: 2, Doc: "0"},
		{Name: "LNH", Key: "lnh", Bit: 14, Width: 2, Enum: lnhName, Doc: "which header follows"},
		{Name: "DLID", Key: "dlid", Bit: 16, Width: 16, Format: field.Hex, Doc: "destination local identifier"},
		{Name: "Reserved", Key: "reserved2", Bit: 32, Width: 5, Doc: "0"},
		{Name: "PktLen", Key: "pktlen", Bit: 37, Width: 11, Doc: "units of four bytes from the LRH to the ICRC"},
		{Name: "SLID", Key: "slid", Bit: 48, Width: 16, Format: field.Hex, Doc: "source local identifier"},
	},
}

// grhTable is the global route header, laid out as an IPv6 header:
//
//	| IPVer 4 bits | TClass 8 bits | FlowLabel 20 bits |
//	| PayLen 2 | NxtHdr 1 | HopLmt 1 | SGID 16 | DGID 16 |
var grhTable = field.Table{
	Key: "grh", Name: "GRH", Title: "Global Route Header", Ref: "IBA 8.3",
	Fields: []field.Field{
		{Name: "IPVer", Key: "ipver", Bit: 0, Width: 4, Doc: "6"},
		{Name: "TClass", Key: "tclass", Bit: 4, Width: 8, Format: field.Hex, Doc: "traffic class"},
		{Name: "FlowLabel", Key: "flowlabel", Bit: 12, Width: 20, Format: field.Hex, Doc: "marks packets of one flow"},
		{Name: "PayLen", Key: "paylen", Bit: 32, Width: 16, Doc: "bytes after this header, up to the end of the ICRC"},
		{Name: "NxtHdr", Key: "nxthdr", Bit: 48, Width: 8, Format: field.Hex, Enum: nxtHdrName, Doc: "what follows"},
		{Name: "HopLmt", Key: "hoplmt", Bit: 56, Width: 8, Doc: "hops left"},
		{Name: "SGID", Key: "sgid", Bit: 64, Width: 128, Format: field.IP, Doc: "source global identifier"},
		{Name: "DGID", Key: "dgid", Bit: 192, Width: 128, Format: field.IP, Doc: "destination global identifier"},
	},
}

// infiniband reads a native InfiniBand frame from its LRH on.
func (d *decoder) infiniband(at int) {
	d.protocol = isInfiniBand
	h := d.header(kindLRH, at, lrhSize)
	if h == nil {
		return
	}
	d.between(AddrLID(binary.BigEndian.Uint16(h[6:])), AddrLID(binary.BigEndian.Uint16(h[2:])))
	start, end := at+lrhSize, at+pktLen(h)
	if h[0]&0x0F != 0 {
		d.blame(at, lrhVersion)
	}
	switch h[1] & 3 {
	case 0:
		d.protocol = isInfiniBandRaw
		return
	case 1:
		d.protocol = isInfiniBandIPv6
		return
	case 3:
		grhEnd, ok := d.grh(start)
		if !ok {
			return
		}
		start += grhSize
		if grhEnd != end {
			d.blame(at+lrhSize+4, grhAndLRH)
			end = min(end, grhEnd)
		}
	}
	switch {
	case end < start:
		d.blame(at+4, lrhLessThanHeaders)
	case end > d.wire+icrcSize:
		d.blame(at+4, lrhBeyondFrame)
	}
	d.Transport, d.protocol = InfiniBand, noProtocol
	d.place(at, start, max(start, end))
}

// pktLen is the length of a native frame from its LRH to the end of its ICRC,
// in bytes.
func pktLen(lrh []byte) int { return int(binary.BigEndian.Uint16(lrh[4:])&0x7FF) * 4 }

// rocev1 reads the GRH after EtherType 0x8915.
func (d *decoder) rocev1(at int) {
	d.protocol = isRoCEv1
	end, ok := d.grh(at)
	if !ok {
		return
	}
	if end > d.wire {
		d.beyond(at+4, end, grhBeyondFrame)
	}
	d.Transport, d.protocol = RoCEv1, noProtocol
	d.place(at, at+grhSize, end)
}

// grh reads a GRH and returns the end of its payload. It reports false where
// the InfiniBand transport does not follow.
func (d *decoder) grh(at int) (end int, ok bool) {
	h := d.header(kindGRH, at, grhSize)
	switch {
	case h == nil:
		return 0, false
	case h[0]>>4 != 6:
		d.blame(at, grhVersion)
		return 0, false
	case h[6] != nextIBA:
		d.blame(at+6, grhNext)
		return 0, false
	}
	d.between(AddrIPv6(h[8:24]), AddrIPv6(h[24:40]))
	d.ECN = h[1] >> 4 & 3
	d.flags |= hasGRH
	return at + grhSize + int(binary.BigEndian.Uint16(h[4:])), true
}

// summariseLRH is who sent the packet to whom within the subnet.
func summariseLRH(h []byte) string {
	return between(AddrLID(binary.BigEndian.Uint16(h[6:])), AddrLID(binary.BigEndian.Uint16(h[2:])))
}

// lnhName names the LRH's link next header.
func lnhName(v uint64) string {
	return [...]string{"raw", "IPv6", "BTH", "GRH"}[v&3]
}

func nxtHdrName(v uint64) string {
	if v == nextIBA {
		return "IBA transport"
	}
	return ""
}

package build

import "encoding/binary"

// A MAC is an Ethernet address.
type MAC [6]byte

// The addresses of the two hosts where a test gives none: locally
// administered, as of virtual machines.
var (
	ClientMAC = MAC{0x52, 0x54, 0, 0, 0, 2}
	ServerMAC = MAC{0x52, 0x54, 0, 0, 0, 1}
)

// Ethernet is the frame's two addresses; its type follows from the layers.
type Ethernet struct{ Dst, Src MAC }

// A VLAN is a tag of four bytes (IEEE 802.1Q, section 9.6).
type VLAN struct {
	TPID uint16 // 0 is written as 0x8100 (C-tag); 0x88a8 is an S-tag
	PCP  uint8  // priority, 0 to 7
	ID   uint16 // 0 to 4095
}

func (l Ethernet) addTo(p *parts) { p.ether = l }
func (l VLAN) addTo(p *parts)     { p.tags = append(p.tags, l) }

func (l Ethernet) append(b []byte) []byte {
	b = append(b, l.Dst[:]...)
	return append(b, l.Src[:]...)
}

func (l VLAN) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, or(l.TPID, 0x8100))
	return binary.BigEndian.AppendUint16(b, uint16(l.PCP)<<13|l.ID&0xfff)
}

// or is v, or instead where v is zero: a layer's default.
func or[T comparable](v, instead T) T {
	var zero T
	if v == zero {
		return instead
	}
	return v
}

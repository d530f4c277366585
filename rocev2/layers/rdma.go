package layers

import (
	"encoding/binary"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/rocev2"
)

// An RETH is the RDMA Extended Transport Header (IBA 9.3) as a gopacket layer.
type RETH struct {
	ExtendedHeader
	VA     uint64 // remote virtual address
	RKey   uint32 // R_Key
	DMALen uint32 // bytes of the whole operation
}

// LayerType is LayerTypeRETH.
func (*RETH) LayerType() gopacket.LayerType { return layerRETH }

// CanDecode is LayerTypeRETH.
func (*RETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerRETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *RETH) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtRETH) }

// DecodeFromBytes reads the header's 16 bytes; fewer are an error.
func (l *RETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtRETH, df); err != nil {
		return err
	}
	h := rocev2.RETH(data)
	l.VA, l.RKey, l.DMALen = h.VA(), h.RKey(), h.DMALen()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *RETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(16)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(h, l.VA)
	binary.BigEndian.PutUint32(h[8:], l.RKey)
	binary.BigEndian.PutUint32(h[12:], l.DMALen)
	return nil
}

// An AtomicETH is the Atomic Extended Transport Header (IBA 9.3) as a gopacket layer.
type AtomicETH struct {
	ExtendedHeader
	VA      uint64 // remote virtual address
	RKey    uint32 // R_Key
	Swap    uint64 // SwapDt: what is stored or added
	Compare uint64 // CmpDt
}

// LayerType is LayerTypeAtomicETH.
func (*AtomicETH) LayerType() gopacket.LayerType { return layerAtomicETH }

// CanDecode is LayerTypeAtomicETH.
func (*AtomicETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerAtomicETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *AtomicETH) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtAtomicETH) }

// DecodeFromBytes reads the header's 28 bytes; fewer are an error.
func (l *AtomicETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtAtomicETH, df); err != nil {
		return err
	}
	h := rocev2.AtomicETH(data)
	l.VA, l.RKey, l.Swap, l.Compare = h.VA(), h.RKey(), h.Swap(), h.Compare()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *AtomicETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(28)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(h, l.VA)
	binary.BigEndian.PutUint32(h[8:], l.RKey)
	binary.BigEndian.PutUint64(h[12:], l.Swap)
	binary.BigEndian.PutUint64(h[20:], l.Compare)
	return nil
}

// An ImmDt is the Immediate Data header (IBA 9.3) as a gopacket layer.
type ImmDt struct {
	ExtendedHeader
	Data uint32 // as a big-endian number
}

// LayerType is LayerTypeImmDt.
func (*ImmDt) LayerType() gopacket.LayerType { return layerImmDt }

// CanDecode is LayerTypeImmDt.
func (*ImmDt) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerImmDt) }

// NextLayerType is what the BTH's opcode says follows.
func (l *ImmDt) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtImmDt) }

// DecodeFromBytes reads the header's 4 bytes; fewer are an error.
func (l *ImmDt) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtImmDt, df); err != nil {
		return err
	}
	h := rocev2.ImmDt(data)
	l.Data = h.Data()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *ImmDt) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(4)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(h, l.Data)
	return nil
}

// An IETH is the Invalidate Extended Transport Header (IBA 9.3) as a gopacket layer.
type IETH struct {
	ExtendedHeader
	RKey uint32 // the R_Key to invalidate
}

// LayerType is LayerTypeIETH.
func (*IETH) LayerType() gopacket.LayerType { return layerIETH }

// CanDecode is LayerTypeIETH.
func (*IETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerIETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *IETH) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtIETH) }

// DecodeFromBytes reads the header's 4 bytes; fewer are an error.
func (l *IETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtIETH, df); err != nil {
		return err
	}
	h := rocev2.IETH(data)
	l.RKey = h.RKey()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *IETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(4)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(h, l.RKey)
	return nil
}

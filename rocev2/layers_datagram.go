package rocev2

import (
	"encoding/binary"

	"github.com/google/gopacket"
)

// An RDETH is the Reliable Datagram Extended Transport Header (IBA 9.3) as a gopacket layer.
type RDETH struct {
	ExtendedHeader
	EEContext uint32 // 24 bits
}

// LayerType is LayerTypeRDETH.
func (*RDETH) LayerType() gopacket.LayerType { return layerRDETH }

// CanDecode is LayerTypeRDETH.
func (*RDETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerRDETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *RDETH) NextLayerType() gopacket.LayerType { return l.after(ExtRDETH) }

// DecodeFromBytes reads the header's 4 octets; fewer are an error.
func (l *RDETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, ExtRDETH, df); err != nil {
		return err
	}
	h := rdethOctets(data)
	l.EEContext = h.eeContext()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *RDETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(4)
	if err != nil {
		return err
	}
	put24(h, l.EEContext)
	return nil
}

// A DETH is the Datagram Extended Transport Header (IBA 9.3) as a gopacket layer.
type DETH struct {
	ExtendedHeader
	QKey  uint32 // Q_Key
	SrcQP uint32 // 24 bits
}

// LayerType is LayerTypeDETH.
func (*DETH) LayerType() gopacket.LayerType { return layerDETH }

// CanDecode is LayerTypeDETH.
func (*DETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerDETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *DETH) NextLayerType() gopacket.LayerType { return l.after(ExtDETH) }

// DecodeFromBytes reads the header's 8 octets; fewer are an error.
func (l *DETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, ExtDETH, df); err != nil {
		return err
	}
	h := dethOctets(data)
	l.QKey, l.SrcQP = h.qKey(), h.srcQP()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *DETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(8)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(h, l.QKey)
	put24(h[4:], l.SrcQP)
	return nil
}

// An XRCETH is the XRC Extended Transport Header (IBA Annex A14) as a gopacket layer.
type XRCETH struct {
	ExtendedHeader
	SRQ uint32 // XRCSRQ, 24 bits
}

// LayerType is LayerTypeXRCETH.
func (*XRCETH) LayerType() gopacket.LayerType { return layerXRCETH }

// CanDecode is LayerTypeXRCETH.
func (*XRCETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerXRCETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *XRCETH) NextLayerType() gopacket.LayerType { return l.after(ExtXRCETH) }

// DecodeFromBytes reads the header's 4 octets; fewer are an error.
func (l *XRCETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, ExtXRCETH, df); err != nil {
		return err
	}
	h := xrcethOctets(data)
	l.SRQ = h.srq()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *XRCETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(4)
	if err != nil {
		return err
	}
	put24(h, l.SRQ)
	return nil
}

// An FETH is the FLUSH Extended Transport Header (IBA Annex A19) as a gopacket layer.
type FETH struct {
	ExtendedHeader
	Selectivity uint8 // SEL, 2 bits
	Placement   uint8 // PLT, 4 bits
}

// LayerType is LayerTypeFETH.
func (*FETH) LayerType() gopacket.LayerType { return layerFETH }

// CanDecode is LayerTypeFETH.
func (*FETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerFETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *FETH) NextLayerType() gopacket.LayerType { return l.after(ExtFETH) }

// DecodeFromBytes reads the header's 4 octets; fewer are an error.
func (l *FETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, ExtFETH, df); err != nil {
		return err
	}
	h := fethOctets(data)
	l.Selectivity, l.Placement = h.selectivity(), h.placement()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *FETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(4)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(h, uint32(l.Selectivity&3)<<4|uint32(l.Placement&15))
	return nil
}

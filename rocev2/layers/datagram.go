package layers

import (
	"encoding/binary"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/rocev2"
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
func (l *RDETH) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtRDETH) }

// DecodeFromBytes reads the header's 4 bytes; fewer are an error.
func (l *RDETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtRDETH, df); err != nil {
		return err
	}
	h := rocev2.RDETH(data)
	l.EEContext = h.EEContext()
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

// NextLayerType is what the BTH's opcode says follows; where that is payload
// which is a MAD of class CM and addressed as one, it is LayerTypeCM.
func (l *DETH) NextLayerType() gopacket.LayerType {
	next := l.after(rocev2.ExtDETH)
	if next == gopacket.LayerTypePayload && l.BTH != nil && rocev2.IsCM(l.BTH.DestQP, l.QKey) &&
		len(l.Payload) > 1 && l.Payload[1] == rocev2.MgmtClassCM {
		return layerCM
	}
	return next
}

// DecodeFromBytes reads the header's 8 bytes; fewer are an error.
func (l *DETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtDETH, df); err != nil {
		return err
	}
	h := rocev2.DETH(data)
	l.QKey, l.SrcQP = h.QKey(), h.SrcQP()
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
func (l *XRCETH) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtXRCETH) }

// DecodeFromBytes reads the header's 4 bytes; fewer are an error.
func (l *XRCETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtXRCETH, df); err != nil {
		return err
	}
	h := rocev2.XRCETH(data)
	l.SRQ = h.SRQ()
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
func (l *FETH) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtFETH) }

// DecodeFromBytes reads the header's 4 bytes; fewer are an error.
func (l *FETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtFETH, df); err != nil {
		return err
	}
	h := rocev2.FETH(data)
	l.Selectivity, l.Placement = h.Selectivity(), h.Placement()
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

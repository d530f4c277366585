package layers

import "github.com/google/gopacket"

// A Set is one layer of each header, for a gopacket.DecodingLayerParser. The
// extended headers know the BTH, so that the parser goes from one to the next.
type Set struct {
	BTH          BTH
	RDETH        RDETH
	DETH         DETH
	XRCETH       XRCETH
	FETH         FETH
	RETH         RETH
	AtomicETH    AtomicETH
	AETH         AETH
	AtomicAckETH AtomicAckETH
	ImmDt        ImmDt
	IETH         IETH
	CM           CM
}

// NewSet makes layers that belong together. They must not be copied.
func NewSet() *Set {
	l := new(Set)
	for _, h := range []*ExtendedHeader{&l.RDETH.ExtendedHeader, &l.DETH.ExtendedHeader, &l.XRCETH.ExtendedHeader,
		&l.FETH.ExtendedHeader, &l.RETH.ExtendedHeader, &l.AtomicETH.ExtendedHeader, &l.AETH.ExtendedHeader,
		&l.AtomicAckETH.ExtendedHeader, &l.ImmDt.ExtendedHeader, &l.IETH.ExtendedHeader} {
		h.BTH = &l.BTH
	}
	return l
}

// All are the layers as a DecodingLayerParser takes them, in wire order.
func (l *Set) All() []gopacket.DecodingLayer {
	return []gopacket.DecodingLayer{&l.BTH, &l.RDETH, &l.DETH, &l.XRCETH, &l.FETH, &l.RETH,
		&l.AtomicETH, &l.AETH, &l.AtomicAckETH, &l.ImmDt, &l.IETH, &l.CM}
}

// An extendedLayer is a decoding layer that is also a layer of a packet.
type extendedLayer interface {
	gopacket.Layer
	gopacket.DecodingLayer
}

// extended makes the layer of the extended header of that type.
func extended(t gopacket.LayerType, bth *BTH) extendedLayer {
	h := ExtendedHeader{BTH: bth}
	switch t {
	case layerRDETH:
		return &RDETH{ExtendedHeader: h}
	case layerDETH:
		return &DETH{ExtendedHeader: h}
	case layerXRCETH:
		return &XRCETH{ExtendedHeader: h}
	case layerFETH:
		return &FETH{ExtendedHeader: h}
	case layerRETH:
		return &RETH{ExtendedHeader: h}
	case layerAtomicETH:
		return &AtomicETH{ExtendedHeader: h}
	case layerAETH:
		return &AETH{ExtendedHeader: h}
	case layerAtomicAckETH:
		return &AtomicAckETH{ExtendedHeader: h}
	case layerImmDt:
		return &ImmDt{ExtendedHeader: h}
	case layerIETH:
		return &IETH{ExtendedHeader: h}
	}
	return nil
}

// decodeBTH decodes a BTH and its extended headers into a gopacket packet. It
// goes through them by itself, because only the BTH knows which they are.
func decodeBTH(data []byte, p gopacket.PacketBuilder) error {
	bth := new(BTH)
	if err := bth.DecodeFromBytes(data, p); err != nil {
		return err
	}
	p.AddLayer(bth)
	rest := bth.Payload
	next := bth.NextLayerType()
	for l := extended(next, bth); l != nil; l = extended(next, bth) {
		if err := l.DecodeFromBytes(rest, p); err != nil {
			return err
		}
		p.AddLayer(l)
		rest, next = l.LayerPayload(), l.NextLayerType()
	}
	return p.NextDecoder(next)
}

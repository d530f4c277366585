package rocev2

import (
	"errors"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// layerCM is the number of CM's layer type.
const layerCM = 1850

// LayerTypeCM is the gopacket layer type of a MAD of communication management,
// number 1850, registered when a program imports this package. It begins where
// the payload of a UD SEND does (see IsCM).
var LayerTypeCM = register(layerCM, "CM", func(d []byte, p gopacket.PacketBuilder) error {
	l := new(CMLayer)
	if err := l.DecodeFromBytes(d, p); err != nil {
		return err
	}
	p.AddLayer(l)
	return p.NextDecoder(l.NextLayerType())
})

// A CMLayer is a MAD of communication management as a gopacket layer: Contents
// are the MAD header, the message and the IP CM header, Payload is the private
// data.
type CMLayer struct {
	layers.BaseLayer
	CM
}

// LayerType is LayerTypeCM.
func (*CMLayer) LayerType() gopacket.LayerType { return layerCM }

// CanDecode is LayerTypeCM.
func (*CMLayer) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerCM) }

// NextLayerType is gopacket's payload: the private data.
func (*CMLayer) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads one MAD. A MAD of another class and one that ends before
// its class are an error; whatever else is wrong is in Fault.
func (l *CMLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < MADSize {
		df.SetTruncated()
	}
	if !l.CM.Decode(data) {
		if l.CM.Fault.Bad() {
			return errors.New(l.CM.Fault.String())
		}
		return errors.New("MAD is not of class CM")
	}
	l.Contents, l.Payload = data, l.CM.PrivateData
	if n := l.CM.PrivateDataOffset; n > 0 {
		l.Contents = data[:min(n, len(data))]
	}
	return nil
}

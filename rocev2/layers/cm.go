package layers

import (
	"errors"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/rocev2"
)

// layerCM is the number of CM's layer type.
const layerCM = 1850

// LayerTypeCM is the gopacket layer type of a MAD of communication management,
// number 1850, registered when a program imports this package. It begins where
// the payload of a UD SEND does: the layer after a DETH that is addressed so
// (see rocev2.IsCM).
var LayerTypeCM = register(layerCM, "CM", func(d []byte, p gopacket.PacketBuilder) error {
	l := new(CM)
	if err := l.DecodeFromBytes(d, p); err != nil {
		return err
	}
	p.AddLayer(l)
	return p.NextDecoder(l.NextLayerType())
})

// A CM is a MAD of communication management as a gopacket layer: Contents are
// the MAD header, the message and the IP CM header, Payload is the private
// data. It is read only: the layer cannot be serialized.
type CM struct {
	layers.BaseLayer
	rocev2.CM
}

// LayerType is LayerTypeCM.
func (*CM) LayerType() gopacket.LayerType { return layerCM }

// CanDecode is LayerTypeCM.
func (*CM) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerCM) }

// NextLayerType is gopacket's payload: the private data.
func (*CM) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads one MAD. A MAD of another class and one that ends before
// its class are an error; whatever else is wrong is in Fault.
func (l *CM) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < rocev2.MADSize {
		df.SetTruncated()
	}
	if !l.Decode(data) {
		if l.Fault.Bad() {
			return errors.New(l.Fault.String())
		}
		return errors.New("MAD is not of class CM")
	}
	l.Contents, l.Payload = data, l.PrivateData
	if n := l.PrivateDataOffset; n > 0 {
		l.Contents = data[:min(n, len(data))]
	}
	return nil
}

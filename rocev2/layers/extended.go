package layers

import (
	"errors"
	"math/bits"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/rocev2"
)

// An ExtendedHeader is what the layers of all extended headers have.
type ExtendedHeader struct {
	layers.BaseLayer
	// BTH is the packet's BTH, which says what follows; with nil, payload does.
	BTH *BTH
}

// after is the type of the layer that follows the header h.
func (l *ExtendedHeader) after(h rocev2.ExtSet) gopacket.LayerType {
	if l.BTH == nil {
		return gopacket.LayerTypePayload
	}
	return firstOf(l.BTH.OpCode.Extended() &^ (h<<1 - 1))
}

// split divides data into the header h and what follows it.
func (l *ExtendedHeader) split(data []byte, h rocev2.ExtSet, df gopacket.DecodeFeedback) error {
	size := h.Size()
	if len(data) < size {
		df.SetTruncated()
		return errors.New(h.String() + " cut short")
	}
	l.Contents, l.Payload = data[:size], data[size:]
	return nil
}

// firstOf is the layer type of a set's first header on the wire, or payload.
func firstOf(s rocev2.ExtSet) gopacket.LayerType {
	if s == 0 {
		return gopacket.LayerTypePayload
	}
	return gopacket.LayerType(layerRDETH + bits.TrailingZeros16(uint16(s)))
}

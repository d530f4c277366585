package layers

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/rocev2"
)

// The numbers of the layer types: 1791 for the BTH, after the UDP port, and
// from 1792 on one for each extended header in wire order.
const (
	layerBTH = 1791 + iota
	layerRDETH
	layerDETH
	layerXRCETH
	layerFETH
	layerRETH
	layerAtomicETH
	layerAETH
	layerAtomicAckETH
	layerImmDt
	layerIETH
)

// The gopacket layer types of the transport's headers, numbered 1791 to 1801.
// They are registered with gopacket when a program imports this package. What
// follows an extended header depends on the BTH's opcode: decoded from its own
// layer type alone, without a BTH before it, it is followed by payload.
var (
	LayerTypeBTH          = register(layerBTH, "BTH", decodeBTH)
	LayerTypeRDETH        = register(layerRDETH, "RDETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(RDETH), d, p) })
	LayerTypeDETH         = register(layerDETH, "DETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(DETH), d, p) })
	LayerTypeXRCETH       = register(layerXRCETH, "XRCETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(XRCETH), d, p) })
	LayerTypeFETH         = register(layerFETH, "FETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(FETH), d, p) })
	LayerTypeRETH         = register(layerRETH, "RETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(RETH), d, p) })
	LayerTypeAtomicETH    = register(layerAtomicETH, "AtomicETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(AtomicETH), d, p) })
	LayerTypeAETH         = register(layerAETH, "AETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(AETH), d, p) })
	LayerTypeAtomicAckETH = register(layerAtomicAckETH, "AtomicAckETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(AtomicAckETH), d, p) })
	LayerTypeImmDt        = register(layerImmDt, "ImmDt", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(ImmDt), d, p) })
	LayerTypeIETH         = register(layerIETH, "IETH", func(d []byte, p gopacket.PacketBuilder) error { return decodeAlone(new(IETH), d, p) })
)

func register(number int, name string, decode gopacket.DecodeFunc) gopacket.LayerType {
	return gopacket.RegisterLayerType(number, gopacket.LayerTypeMetadata{Name: name, Decoder: decode})
}

// decodeAlone decodes an extended header that no BTH announced.
func decodeAlone(l extendedLayer, data []byte, p gopacket.PacketBuilder) error {
	if err := l.DecodeFromBytes(data, p); err != nil {
		return err
	}
	p.AddLayer(l)
	return p.NextDecoder(gopacket.LayerTypePayload)
}

// RegisterUDPPort has gopacket decode what goes to UDP port 4791 as RoCEv2, in
// the whole program. Call it once, before packets are decoded: gopacket's
// table of ports has no lock. (gopacket looks at the source port too where it
// does not know the destination's.)
func RegisterUDPPort() { layers.RegisterUDPPortLayerType(rocev2.Port, layerBTH) }

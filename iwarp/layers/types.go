package layers

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/iwarp"
)

// The numbers of the layer types, which begin at 1810.
const (
	layerMPA = 1810 + iota
	layerMPAStart
	layerFPDU
	layerDDP
	layerReadRequest
	layerTerminate
	layerAtomicRequest
	layerAtomicResponse
	layerImmediate
)

// The gopacket layer types of iWARP, numbered 1810 to 1818. They are registered
// with gopacket when a program imports this package.
//
// LayerTypeMPA is where a TCP segment is decoded from, and LayerTypeMPAStart and
// LayerTypeFPDU are where bytes are that are known to begin with a start-up
// frame or an FPDU; what follows it in them is decoded too. LayerTypeDDP is a
// whole ULPDU. The others are the payload of DDP segments, and by themselves
// decode bytes that no DDP header announced.
var (
	LayerTypeMPA            = register(layerMPA, "MPA", decodeMPA)
	LayerTypeMPAStart       = register(layerMPAStart, "MPAStart", decodeFrom(layerMPAStart))
	LayerTypeFPDU           = register(layerFPDU, "FPDU", decodeFrom(layerFPDU))
	LayerTypeDDP            = register(layerDDP, "DDP", func(d []byte, p gopacket.PacketBuilder) error { return decodeDDP(d, p, nil) })
	LayerTypeReadRequest    = register(layerReadRequest, "ReadRequest", decodeAlone(layerReadRequest))
	LayerTypeTerminate      = register(layerTerminate, "Terminate", decodeAlone(layerTerminate))
	LayerTypeAtomicRequest  = register(layerAtomicRequest, "AtomicRequest", decodeAlone(layerAtomicRequest))
	LayerTypeAtomicResponse = register(layerAtomicResponse, "AtomicResponse", decodeAlone(layerAtomicResponse))
	LayerTypeImmediate      = register(layerImmediate, "Immediate", decodeAlone(layerImmediate))
)

func register(number int, name string, decode gopacket.DecodeFunc) gopacket.LayerType {
	return gopacket.RegisterLayerType(number, gopacket.LayerTypeMetadata{Name: name, Decoder: decode})
}

// RegisterTCPPort has gopacket decode what goes to or comes from TCP port 20049
// as iWARP, in the whole program; see the package's comment for what packets
// need besides. Call it once, before packets are decoded: gopacket's table of
// ports has no lock. For other ports call layers.RegisterTCPPortLayerType of
// gopacket with LayerTypeMPA.
func RegisterTCPPort() { layers.RegisterTCPPortLayerType(iwarp.Port, layerMPA) }

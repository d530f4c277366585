package layers

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/iwarp"
)

// An MPA stands between TCP and the layers of a segment in a
// gopacket.DecodingLayerParser, to choose between them. It has no bytes: its
// contents are empty, and the payload is what it was given. The layers of a
// gopacket.Packet are without it.
type MPA struct {
	layers.BaseLayer
	next gopacket.LayerType
}

// CanDecode is LayerTypeMPA.
func (*MPA) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerMPA) }

// NextLayerType is LayerTypeMPAStart, LayerTypeFPDU or gopacket's payload.
func (l *MPA) NextLayerType() gopacket.LayerType { return l.next }

// DecodeFromBytes looks what the segment begins with. There is no error.
func (l *MPA) DecodeFromBytes(data []byte, _ gopacket.DecodeFeedback) error {
	*l = MPA{BaseLayer: layers.BaseLayer{Contents: data[:0], Payload: data}, next: typeOfSegment(data)}
	return nil
}

// typeOfSegment reports what bytes begin with that may be from anywhere in a
// stream, and claims no more than they prove.
func typeOfSegment(data []byte) gopacket.LayerType {
	switch {
	case hasKey(data):
		return layerMPAStart
	case beginsWithFPDU(data):
		return layerFPDU
	}
	return gopacket.LayerTypePayload
}

// hasKey reports whether data begins with the whole key of a start-up frame.
func hasKey(data []byte) bool { return len(data) >= keySize && iwarp.LooksLikeStart(data) }

const keySize = 16 // bytes

// beginsWithFPDU reports whether data looks like a run of FPDUs. The first has
// to show its whole DDP header, because nothing else speaks for it. Bytes from
// within an FPDU that happen to look like a header state a length at random,
// and what is found after that many is unlikely to look like one too.
func beginsWithFPDU(data []byte) bool {
	if len(data) < lengthSize || len(data)-lengthSize < headerSize(data[lengthSize:]) {
		return false
	}
	for len(data) >= lengthSize {
		length, size := measure(data)
		if !iwarp.Plausible(data[lengthSize:min(lengthSize+length, len(data))], length) {
			return false
		}
		data = data[min(size, len(data)):]
	}
	return true
}

// decodeMPA decodes a TCP segment into a gopacket packet.
func decodeMPA(data []byte, p gopacket.PacketBuilder) error {
	return decodeRun(data, p, typeOfSegment(data))
}

package layers

import (
	"encoding/binary"
	"errors"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/iwarp"
)

// A DDP is the header of a DDP segment, tagged or untagged, with RDMAP's control
// byte (RFC 5041 section 4, RFC 5040 section 4.1) as a gopacket layer.
type DDP struct {
	layers.BaseLayer
	// Tagged and Last are the flags T and L.
	Tagged, Last bool
	// DV and RV are the versions of DDP and RDMAP, 2 bits each; OpCode is RDMAP's, 4 bits.
	DV, RV uint8
	OpCode iwarp.OpCode
	// STag and TO are a tagged segment's.
	STag uint32
	TO   uint64
	// Invalidate, QN, MSN and MO are an untagged segment's; Invalidate means
	// something if OpCode.Invalidates, MO counts bytes.
	Invalidate, QN, MSN, MO uint32
	// Fault is what iwarp.PDU.Decode finds wrong, with its byte from the
	// header's first; the payload of an RDMAP message counts.
	Fault field.Fault
	// FPDU is the layer before this one, which says how long the ULPDU is. With
	// nil, it is what is decoded.
	FPDU *FPDU

	pdu iwarp.PDU
}

// LayerType is LayerTypeDDP.
func (*DDP) LayerType() gopacket.LayerType { return layerDDP }

// CanDecode is LayerTypeDDP.
func (*DDP) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerDDP) }

// NextLayerType is the layer of the RDMAP message that the opcode names, if
// RDMAP defines its payload, or gopacket's payload. It is that too where
// something is wrong with the DDP header.
func (l *DDP) NextLayerType() gopacket.LayerType {
	if l.Fault.Bad() && l.Fault.Offset < len(l.Contents) {
		return gopacket.LayerTypePayload
	}
	switch l.OpCode {
	case iwarp.OpReadRequest:
		return layerReadRequest
	case iwarp.OpTerminate:
		return layerTerminate
	case iwarp.OpAtomicRequest:
		return layerAtomicRequest
	case iwarp.OpAtomicResponse:
		return layerAtomicResponse
	case iwarp.OpImmediate, iwarp.OpImmediateSE:
		return layerImmediate
	}
	return gopacket.LayerTypePayload
}

// DecodeFromBytes reads a ULPDU. Less than the header is an error; whatever
// else is wrong is in Fault.
func (l *DDP) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	length, cut := len(data), true
	if l.FPDU != nil && same(l.FPDU.Payload, data) {
		length = l.FPDU.ULPDULength
		cut = len(data) < length
	}
	p := &l.pdu
	p.Decode(data, length)
	size := headerSize(data)
	if len(data) < size {
		if cut {
			df.SetTruncated()
		}
		return errors.New(p.Fault.String())
	}
	l.BaseLayer = layers.BaseLayer{Contents: data[:size], Payload: data[size:]}
	l.Tagged, l.Last, l.DV, l.RV, l.OpCode = p.Tagged, p.Last, p.DV, p.RV, p.OpCode
	l.STag, l.TO = p.STag, p.TO
	l.Invalidate, l.QN, l.MSN, l.MO = p.Invalidate, p.QN, p.MSN, p.MO
	l.Fault = p.Fault
	return nil
}

// headerSize is the size in bytes of the header that a ULPDU begins with.
func headerSize(ulpdu []byte) int {
	if len(ulpdu) > 0 && ulpdu[0]&0x80 != 0 {
		return iwarp.TaggedSize
	}
	return iwarp.UntaggedSize
}

// same reports whether a layer that is given data goes on where the one that
// left payload ended. A layer that is used by itself may hold on to another.
func same(payload, data []byte) bool {
	return len(payload) == len(data) && len(data) > 0 && &payload[0] == &data[0]
}

// SerializeTo prepends the header to what b holds.
func (l *DDP) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	size := iwarp.UntaggedSize
	if l.Tagged {
		size = iwarp.TaggedSize
	}
	h, err := b.PrependBytes(size)
	if err != nil {
		return err
	}
	l.setHeader(h)
	return nil
}

// setHeader writes the header, whose reserved bits are zero.
func (l *DDP) setHeader(h []byte) {
	h[0] = bit(l.Tagged, 7) | bit(l.Last, 6) | l.DV&3
	h[1] = l.RV<<6 | byte(l.OpCode)&15
	if l.Tagged {
		binary.BigEndian.PutUint32(h[2:], l.STag)
		binary.BigEndian.PutUint64(h[6:], l.TO)
		return
	}
	binary.BigEndian.PutUint32(h[2:], l.Invalidate)
	binary.BigEndian.PutUint32(h[6:], l.QN)
	binary.BigEndian.PutUint32(h[10:], l.MSN)
	binary.BigEndian.PutUint32(h[14:], l.MO)
}

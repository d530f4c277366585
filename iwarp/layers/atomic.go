package layers

import (
	"encoding/binary"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/iwarp"
)

// An AtomicRequest is the header of an Atomic Request (RFC 7306 section 5.2.1)
// as a gopacket layer.
type AtomicRequest struct {
	Message
	iwarp.AtomicRequest
}

// LayerType is LayerTypeAtomicRequest.
func (*AtomicRequest) LayerType() gopacket.LayerType { return layerAtomicRequest }

// CanDecode is LayerTypeAtomicRequest.
func (*AtomicRequest) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerAtomicRequest) }

// DecodeFromBytes reads the header's 52 bytes; fewer are an error.
func (l *AtomicRequest) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	p := l.split(iwarp.OpAtomicRequest, iwarp.AtomicRequestSize, data)
	var ok bool
	if l.AtomicRequest, ok = p.AtomicRequest(); !ok {
		return l.refuse(p, iwarp.OpAtomicRequest, iwarp.AtomicRequestSize, df)
	}
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *AtomicRequest) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(iwarp.AtomicRequestSize)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(h, uint32(l.Op)&15)
	binary.BigEndian.PutUint32(h[4:], l.ID)
	binary.BigEndian.PutUint32(h[8:], l.STag)
	binary.BigEndian.PutUint64(h[12:], l.TO)
	binary.BigEndian.PutUint64(h[20:], l.Data)
	binary.BigEndian.PutUint64(h[28:], l.DataMask)
	binary.BigEndian.PutUint64(h[36:], l.Compare)
	binary.BigEndian.PutUint64(h[44:], l.CompareMask)
	return nil
}

// An AtomicResponse is the header of an Atomic Response (RFC 7306 section
// 5.2.2) as a gopacket layer.
type AtomicResponse struct {
	Message
	iwarp.AtomicResponse
}

// LayerType is LayerTypeAtomicResponse.
func (*AtomicResponse) LayerType() gopacket.LayerType { return layerAtomicResponse }

// CanDecode is LayerTypeAtomicResponse.
func (*AtomicResponse) CanDecode() gopacket.LayerClass {
	return gopacket.LayerType(layerAtomicResponse)
}

// DecodeFromBytes reads the header's 12 bytes; fewer are an error.
func (l *AtomicResponse) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	p := l.split(iwarp.OpAtomicResponse, iwarp.AtomicResponseSize, data)
	var ok bool
	if l.AtomicResponse, ok = p.AtomicResponse(); !ok {
		return l.refuse(p, iwarp.OpAtomicResponse, iwarp.AtomicResponseSize, df)
	}
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *AtomicResponse) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(iwarp.AtomicResponseSize)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(h, l.ID)
	binary.BigEndian.PutUint64(h[4:], l.Original)
	return nil
}

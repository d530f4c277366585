package layers

import (
	"encoding/binary"
	"errors"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/iwarp"
)

// A Message is what the layers of all RDMAP messages have: the payload of a DDP
// segment that RDMAP defines.
type Message struct {
	layers.BaseLayer
	// Segment is the layer before this one. With nil, the bytes are taken for
	// the whole payload of a segment.
	Segment *DDP
}

// NextLayerType is gopacket's payload. After a DDP layer none is left.
func (*Message) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// split divides data into a message of size bytes, or what there is of it, and
// what follows, and returns the segment that carries the message. Where no DDP
// layer decoded one it is made up, because iwarp reads messages in segments.
func (l *Message) split(op iwarp.OpCode, size int, data []byte) *iwarp.PDU {
	n := min(size, len(data))
	l.Contents, l.Payload = data[:n], data[n:]
	if l.Segment != nil && same(l.Segment.Payload, data) {
		return &l.Segment.pdu
	}
	header := DDP{Last: true, DV: 1, RV: 1, OpCode: op, QN: op.QN(), MSN: 1}
	ulpdu := make([]byte, iwarp.UntaggedSize, iwarp.UntaggedSize+n)
	header.setHeader(ulpdu)
	ulpdu = append(ulpdu, l.Contents...)
	p := new(iwarp.PDU)
	p.Decode(ulpdu, len(ulpdu))
	return p
}

// refuse is the error of a message that could not be read from its segment. How
// long that is the FPDU says; of a made-up one what lacks was cut off.
func (l *Message) refuse(p *iwarp.PDU, op iwarp.OpCode, least int, df gopacket.DecodeFeedback) error {
	if madeUp := l.Segment == nil || p != &l.Segment.pdu; madeUp && len(l.Contents) < least {
		df.SetTruncated()
	}
	if p.Fault.Bad() {
		return errors.New(p.Fault.String())
	}
	return errors.New("segment is no " + op.String())
}

// A ReadRequest is the header of an RDMA Read Request (RFC 5040 section 4.4) as
// a gopacket layer.
type ReadRequest struct {
	Message
	iwarp.ReadRequest
}

// LayerType is LayerTypeReadRequest.
func (*ReadRequest) LayerType() gopacket.LayerType { return layerReadRequest }

// CanDecode is LayerTypeReadRequest.
func (*ReadRequest) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerReadRequest) }

// DecodeFromBytes reads the header's 28 bytes; fewer are an error.
func (l *ReadRequest) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	p := l.split(iwarp.OpReadRequest, iwarp.ReadRequestSize, data)
	var ok bool
	if l.ReadRequest, ok = p.ReadRequest(); !ok {
		return l.refuse(p, iwarp.OpReadRequest, iwarp.ReadRequestSize, df)
	}
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *ReadRequest) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(iwarp.ReadRequestSize)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(h, l.SinkSTag)
	binary.BigEndian.PutUint64(h[4:], l.SinkTO)
	binary.BigEndian.PutUint32(h[12:], l.Size)
	binary.BigEndian.PutUint32(h[16:], l.SourceSTag)
	binary.BigEndian.PutUint64(h[20:], l.SourceTO)
	return nil
}

// An Immediate is Immediate Data, with or without Solicited Event (RFC 7306
// section 6.2), as a gopacket layer.
type Immediate struct {
	Message
	Data uint64 // as a big-endian number
}

// LayerType is LayerTypeImmediate.
func (*Immediate) LayerType() gopacket.LayerType { return layerImmediate }

// CanDecode is LayerTypeImmediate.
func (*Immediate) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerImmediate) }

// DecodeFromBytes reads the eight bytes; fewer are an error.
func (l *Immediate) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	p := l.split(iwarp.OpImmediate, iwarp.ImmediateSize, data)
	var ok bool
	if l.Data, ok = p.Immediate(); !ok {
		return l.refuse(p, iwarp.OpImmediate, iwarp.ImmediateSize, df)
	}
	return nil
}

// SerializeTo prepends the eight bytes to what b holds.
func (l *Immediate) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(iwarp.ImmediateSize)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(h, l.Data)
	return nil
}

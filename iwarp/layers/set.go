package layers

import "github.com/google/gopacket"

// A Set is one layer of each header, for a gopacket.DecodingLayerParser. Each
// layer knows the one before it, as it has to.
type Set struct {
	MPA            MPA
	MPAStart       MPAStart
	FPDU           FPDU
	DDP            DDP
	ReadRequest    ReadRequest
	Terminate      Terminate
	AtomicRequest  AtomicRequest
	AtomicResponse AtomicResponse
	Immediate      Immediate
}

// NewSet makes layers that belong together. They must not be copied.
func NewSet() *Set {
	l := new(Set)
	l.DDP.FPDU = &l.FPDU
	for _, m := range []*Message{&l.ReadRequest.Message, &l.Terminate.Message, &l.AtomicRequest.Message,
		&l.AtomicResponse.Message, &l.Immediate.Message} {
		m.Segment = &l.DDP
	}
	return l
}

// All are the layers as a DecodingLayerParser takes them, in wire order.
func (l *Set) All() []gopacket.DecodingLayer {
	return []gopacket.DecodingLayer{&l.MPA, &l.MPAStart, &l.FPDU, &l.DDP, &l.ReadRequest, &l.Terminate,
		&l.AtomicRequest, &l.AtomicResponse, &l.Immediate}
}

// A decodingLayer is a decoding layer that is also a layer of a packet.
type decodingLayer interface {
	gopacket.Layer
	gopacket.DecodingLayer
}

// message makes the layer of the RDMAP message of that type.
func message(t gopacket.LayerType, ddp *DDP) decodingLayer {
	m := Message{Segment: ddp}
	switch t {
	case layerReadRequest:
		return &ReadRequest{Message: m}
	case layerTerminate:
		return &Terminate{Message: m}
	case layerAtomicRequest:
		return &AtomicRequest{Message: m}
	case layerAtomicResponse:
		return &AtomicResponse{Message: m}
	case layerImmediate:
		return &Immediate{Message: m}
	}
	return nil
}

// decodeFrom decodes bytes that begin with that layer into a gopacket packet.
func decodeFrom(first gopacket.LayerType) gopacket.DecodeFunc {
	return func(data []byte, p gopacket.PacketBuilder) error { return decodeRun(data, p, first) }
}

// decodeRun decodes a run of start-up frames and FPDUs into a gopacket packet,
// of which the first is of that type. It goes through them by itself, because
// gopacket goes on only with what one layer leaves of another's payload.
func decodeRun(data []byte, p gopacket.PacketBuilder, next gopacket.LayerType) error {
	for len(data) > 0 {
		switch next {
		case layerMPAStart:
			l := new(MPAStart)
			if err := l.DecodeFromBytes(data, p); err != nil {
				return err
			}
			p.AddLayer(l)
			if err := decodePayload(l.Payload, p); err != nil {
				return err
			}
			// The FPDUs that follow may have markers, so look first.
			data, next = l.Next, typeOfSegment(l.Next)
		case layerFPDU:
			l := new(FPDU)
			if err := l.DecodeFromBytes(data, p); err != nil {
				return err
			}
			p.AddLayer(l)
			// Without a ULPDU there is no DDP segment, which MPA allows.
			if len(l.Payload) > 0 {
				if err := decodeDDP(l.Payload, p, l); err != nil {
					return err
				}
			}
			data = l.Next
		default:
			return decodePayload(data, p)
		}
	}
	return nil
}

// decodeDDP decodes a ULPDU and the message in it.
func decodeDDP(data []byte, p gopacket.PacketBuilder, fpdu *FPDU) error {
	ddp := &DDP{FPDU: fpdu}
	if err := ddp.DecodeFromBytes(data, p); err != nil {
		return err
	}
	p.AddLayer(ddp)
	if len(ddp.Payload) == 0 {
		return nil
	}
	return decodeMessage(message(ddp.NextLayerType(), ddp), ddp.Payload, p)
}

// decodeAlone decodes a message of that type which no DDP header announced.
func decodeAlone(t gopacket.LayerType) gopacket.DecodeFunc {
	return func(data []byte, p gopacket.PacketBuilder) error { return decodeMessage(message(t, nil), data, p) }
}

// decodeMessage decodes a message, and what is left, or all of data if l is nil,
// as payload.
func decodeMessage(l decodingLayer, data []byte, p gopacket.PacketBuilder) error {
	if l == nil {
		return decodePayload(data, p)
	}
	if err := l.DecodeFromBytes(data, p); err != nil {
		return err
	}
	p.AddLayer(l)
	return decodePayload(l.LayerPayload(), p)
}

// decodePayload adds gopacket's payload, unless there is none.
func decodePayload(data []byte, p gopacket.PacketBuilder) error {
	if len(data) == 0 {
		return nil
	}
	return gopacket.LayerTypePayload.Decode(data, p)
}

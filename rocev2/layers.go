package rocev2

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/field"
)

// A BTH is the Base Transport Header (IBA 9.2) as a gopacket layer. Its payload
// is what lies between it and the pad: extended headers and data.
type BTH struct {
	layers.BaseLayer
	OpCode                                OpCode
	Solicited, MigReq, AckReq, FECN, BECN bool
	PadCnt                                uint8
	PKey                                  uint16
	DestQP, PSN                           uint32 // 24 bits
	// ICRC is the packet's last four octets as a big-endian number, as ICRC
	// returns it; 0 where the frame was cut.
	ICRC uint32
	// Fault is what Packet.Decode finds wrong, with its octet from the BTH's first.
	Fault field.Fault
}

// LayerType is LayerTypeBTH.
func (*BTH) LayerType() gopacket.LayerType { return layerBTH }

// CanDecode is LayerTypeBTH.
func (*BTH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerBTH) }

// NextLayerType is the first extended header's or gopacket's payload.
func (l *BTH) NextLayerType() gopacket.LayerType { return firstOf(l.OpCode.Extended()) }

// DecodeFromBytes reads the BTH and the ICRC of data, which is one packet from
// BTH to ICRC. Where gopacket knows that the frame was cut, all that follows
// the BTH is payload and there is no ICRC. Fewer than twelve octets are an
// error; whatever else is wrong is in Fault.
func (l *BTH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	var p Packet
	p.Decode(data, len(data))
	if len(data) < bthSize {
		df.SetTruncated()
		return errors.New(p.Fault.String())
	}
	*l = BTH{
		BaseLayer: layers.BaseLayer{Contents: data[:bthSize], Payload: data[bthSize:]},
		OpCode:    p.OpCode,
		Solicited: p.Solicited, MigReq: p.MigReq, AckReq: p.AckReq, FECN: p.FECN, BECN: p.BECN,
		PadCnt: p.PadCnt, PKey: p.PKey, DestQP: p.DestQP, PSN: p.PSN,
	}
	if truncated(df) {
		// The end is not here, so only what is wrong with the BTH itself counts.
		if p.OpCode.Reserved() || data[1]&0x0F != 0 {
			l.Fault = p.Fault
		}
		return nil
	}
	l.Fault = p.Fault
	if end := len(data) - icrcSize; end >= bthSize {
		l.ICRC = binary.BigEndian.Uint32(data[end:])
		l.Payload = data[bthSize:max(bthSize, p.PayloadEnd)]
	}
	return nil
}

// truncated asks gopacket whether a layer below found the frame cut short. Its
// feedback is the packet, or the parser, that also has the answer.
func truncated(df gopacket.DecodeFeedback) bool {
	switch df := df.(type) {
	case gopacket.Packet:
		return df.Metadata().Truncated
	case *gopacket.DecodingLayerParser:
		return df.Truncated
	}
	return false
}

// SerializeTo prepends the BTH to what b holds and appends pad and ICRC. With
// FixLengths it sets PadCnt to fill up to four octets. It cannot compute the
// ICRC, which covers the headers below: let SetICRC do that in the whole frame.
func (l *BTH) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if opts.FixLengths {
		l.PadCnt = uint8(-len(b.Bytes()) & 3)
	}
	trailer, err := b.AppendBytes(int(l.PadCnt&3) + icrcSize)
	if err != nil {
		return err
	}
	clear(trailer)
	binary.BigEndian.PutUint32(trailer[l.PadCnt&3:], l.ICRC)
	h, err := b.PrependBytes(bthSize)
	if err != nil {
		return err
	}
	h[0] = byte(l.OpCode)
	h[1] = bit(l.Solicited, 7) | bit(l.MigReq, 6) | l.PadCnt&3<<4
	binary.BigEndian.PutUint16(h[2:], l.PKey)
	put24(h[4:], l.DestQP)
	h[4] = bit(l.FECN, 7) | bit(l.BECN, 6)
	put24(h[8:], l.PSN)
	h[8] = bit(l.AckReq, 7)
	return nil
}

// bit is the octet with that bit set, or 0.
func bit(set bool, n int) byte {
	if set {
		return 1 << n
	}
	return 0
}

// put24 writes a zero octet and the 24 bits of v.
func put24(b []byte, v uint32) { binary.BigEndian.PutUint32(b, v&0xFFFFFF) }

// An ExtendedHeader is what the layers of all extended headers have.
type ExtendedHeader struct {
	layers.BaseLayer
	// BTH is the packet's BTH, which says what follows; with nil, payload does.
	BTH *BTH
}

// after is the type of the layer that follows the header h.
func (l *ExtendedHeader) after(h ExtSet) gopacket.LayerType {
	if l.BTH == nil {
		return gopacket.LayerTypePayload
	}
	return firstOf(l.BTH.OpCode.Extended() &^ (h<<1 - 1))
}

// split divides data into the header h and what follows it.
func (l *ExtendedHeader) split(data []byte, h ExtSet, df gopacket.DecodeFeedback) error {
	size := h.Size()
	if len(data) < size {
		df.SetTruncated()
		return errors.New(cutReasons[h.index()])
	}
	l.Contents, l.Payload = data[:size], data[size:]
	return nil
}

// firstOf is the layer type of a set's first header on the wire, or payload.
func firstOf(s ExtSet) gopacket.LayerType {
	if s == 0 {
		return gopacket.LayerTypePayload
	}
	return gopacket.LayerType(layerRDETH + bits.TrailingZeros16(uint16(s)))
}

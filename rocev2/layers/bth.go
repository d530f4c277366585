package layers

import (
	"encoding/binary"
	"errors"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A BTH is the Base Transport Header (IBA 9.2) as a gopacket layer. Its payload
// is what lies between it and the pad: extended headers and data.
type BTH struct {
	layers.BaseLayer
	// OpCode names the transport, the operation and the extended headers.
	OpCode rocev2.OpCode
	// Solicited, MigReq, AckReq, FECN and BECN are the header's flags.
	Solicited, MigReq, AckReq, FECN, BECN bool
	// PadCnt is how many bytes pad the data to whole words, 0 to 3.
	PadCnt uint8
	// PKey is the partition key, all 16 bits.
	PKey uint16
	// DestQP is the receiver's queue pair, PSN the packet sequence number; 24 bits each.
	DestQP, PSN uint32
	// ICRC is the packet's last four bytes as a big-endian number, as
	// rocev2.ICRC returns it; 0 where the frame was cut.
	ICRC uint32
	// Fault is what rocev2.Packet.Decode finds wrong, with its byte from the BTH's first.
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
// the BTH is payload and there is no ICRC. Fewer than twelve bytes are an
// error; whatever else is wrong is in Fault.
func (l *BTH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	var p rocev2.Packet
	p.Decode(data, len(data))
	if len(data) < rocev2.BTHSize {
		df.SetTruncated()
		return errors.New(p.Fault().String())
	}
	*l = BTH{
		BaseLayer: layers.BaseLayer{Contents: data[:rocev2.BTHSize], Payload: data[rocev2.BTHSize:]},
		OpCode:    p.OpCode,
		Solicited: p.Solicited(), MigReq: p.MigReq(), AckReq: p.AckReq(), FECN: p.FECN(), BECN: p.BECN(),
		PadCnt: p.PadCnt(), PKey: p.PKey(), DestQP: p.DestQP, PSN: p.PSN,
	}
	if truncated(df) {
		// The end is not here, so only what is wrong with the BTH itself counts.
		if p.OpCode.Reserved() || data[1]&0x0F != 0 {
			l.Fault = p.Fault()
		}
		return nil
	}
	l.Fault = p.Fault()
	if end := len(data) - rocev2.ICRCSize; end >= rocev2.BTHSize {
		l.ICRC = binary.BigEndian.Uint32(data[end:])
		l.Payload = data[rocev2.BTHSize:max(rocev2.BTHSize, p.PayloadEnd())]
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
// FixLengths it sets PadCnt to fill up to four bytes. It cannot compute the
// ICRC, which covers the headers below: let rocev2.SetICRC do that in the whole
// frame.
func (l *BTH) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if opts.FixLengths {
		l.PadCnt = uint8(-len(b.Bytes()) & 3)
	}
	trailer, err := b.AppendBytes(int(l.PadCnt&3) + rocev2.ICRCSize)
	if err != nil {
		return err
	}
	clear(trailer)
	binary.BigEndian.PutUint32(trailer[l.PadCnt&3:], l.ICRC)
	h, err := b.PrependBytes(rocev2.BTHSize)
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

// bit is the byte with that bit set, or 0.
func bit(set bool, n int) byte {
	if set {
		return 1 << n
	}
	return 0
}

// put24 writes a zero byte and the 24 bits of v.
func put24(b []byte, v uint32) { binary.BigEndian.PutUint32(b, v&0xFFFFFF) }

package layers

import (
	"encoding/binary"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/iwarp"
)

// A Terminate is the payload of a Terminate message (RFC 5040 section 4.8) as a
// gopacket layer. The header that it repeats in DDP can be decoded from
// LayerTypeDDP, and that in RDMAP from LayerTypeReadRequest.
type Terminate struct {
	Message
	iwarp.Termination
	// Fault is what is wrong, or cut short, after the control field, with its
	// byte from the message's first.
	Fault field.Fault
}

// LayerType is LayerTypeTerminate.
func (*Terminate) LayerType() gopacket.LayerType { return layerTerminate }

// CanDecode is LayerTypeTerminate.
func (*Terminate) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerTerminate) }

// DecodeFromBytes reads the message. Fewer than the four bytes of its control
// field are an error; whatever else is wrong is in Fault.
func (l *Terminate) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	p := l.split(iwarp.OpTerminate, iwarp.TerminateMax, data)
	var ok bool
	if l.Termination, ok = p.Termination(); !ok {
		return l.refuse(p, iwarp.OpTerminate, iwarp.TerminateMin, df)
	}
	l.Fault = p.Fault
	if l.Fault.Bad() {
		l.Fault.Offset -= p.PayloadStart
	}
	return nil
}

// SerializeTo prepends the message to what b holds: the control field, whose
// bits M, D and R are HasLength, HasDDP and HasRDMAP, Length with HasLength, and
// DDP and RDMAP. With LittleEndian, the control field is as Linux siw sends it.
func (l *Terminate) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	size := iwarp.TerminateMin + len(l.DDP) + len(l.RDMAP)
	if l.HasLength {
		size += 2
	}
	h, err := b.PrependBytes(size)
	if err != nil {
		return err
	}
	clear(h)
	h[0], h[1] = l.Layer<<4|l.EType&15, l.ECode
	h[2] = bit(l.HasLength, 7) | bit(l.HasDDP, 6) | bit(l.HasRDMAP, 5)
	if l.LittleEndian {
		h[0] = l.EType<<4 | l.Layer&15
		h[2] = bit(l.HasLength, 0) | bit(l.HasDDP, 1) | bit(l.HasRDMAP, 2)
	}
	parts := h[iwarp.TerminateMin:]
	if l.HasLength {
		binary.BigEndian.PutUint16(parts, l.Length)
		parts = parts[2:]
	}
	copy(parts[copy(parts, l.DDP):], l.RDMAP)
	return nil
}

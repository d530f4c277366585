package layers

import (
	"encoding/binary"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/rocev2"
)

// An AETH is the ACK Extended Transport Header (IBA 9.3) as a gopacket layer.
type AETH struct {
	ExtendedHeader
	Syndrome rocev2.Syndrome // kind of answer, and its code
	MSN      uint32          // message sequence number, 24 bits
}

// LayerType is LayerTypeAETH.
func (*AETH) LayerType() gopacket.LayerType { return layerAETH }

// CanDecode is LayerTypeAETH.
func (*AETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerAETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *AETH) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtAETH) }

// DecodeFromBytes reads the header's 4 bytes; fewer are an error.
func (l *AETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtAETH, df); err != nil {
		return err
	}
	h := rocev2.AETH(data)
	l.Syndrome, l.MSN = h.Syndrome(), h.MSN()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *AETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(4)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(h, uint32(l.Syndrome)<<24|l.MSN&0xFFFFFF)
	return nil
}

// An AtomicAckETH is the Atomic ACK Extended Transport Header (IBA 9.3) as a gopacket layer.
type AtomicAckETH struct {
	ExtendedHeader
	Original uint64 // OrigRemDt: the remote value before the operation
}

// LayerType is LayerTypeAtomicAckETH.
func (*AtomicAckETH) LayerType() gopacket.LayerType { return layerAtomicAckETH }

// CanDecode is LayerTypeAtomicAckETH.
func (*AtomicAckETH) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerAtomicAckETH) }

// NextLayerType is what the BTH's opcode says follows.
func (l *AtomicAckETH) NextLayerType() gopacket.LayerType { return l.after(rocev2.ExtAtomicAckETH) }

// DecodeFromBytes reads the header's 8 bytes; fewer are an error.
func (l *AtomicAckETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := l.split(data, rocev2.ExtAtomicAckETH, df); err != nil {
		return err
	}
	h := rocev2.AtomicAckETH(data)
	l.Original = h.Original()
	return nil
}

// SerializeTo prepends the header to what b holds.
func (l *AtomicAckETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	h, err := b.PrependBytes(8)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(h, l.Original)
	return nil
}

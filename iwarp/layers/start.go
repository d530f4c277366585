package layers

import (
	"encoding/binary"
	"errors"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/iwarp"
)

// An MPAStart is an MPA Request or Reply frame (RFC 5044 section 7.1, RFC 6581
// section 9) as a gopacket layer: Contents are the frame up to the consumer's
// private data, with the enhanced setup if there is one, and Payload is the
// private data.
type MPAStart struct {
	layers.BaseLayer
	iwarp.Start
	// Next is what follows the frame in the bytes that were decoded.
	Next []byte
}

// LayerType is LayerTypeMPAStart.
func (*MPAStart) LayerType() gopacket.LayerType { return layerMPAStart }

// CanDecode is LayerTypeMPAStart.
func (*MPAStart) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerMPAStart) }

// NextLayerType is gopacket's payload: the private data.
func (*MPAStart) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads one frame. Fewer than its first 20 bytes, or another
// key, are an error; whatever else is wrong is in Fault. Where PD_Length is too
// large for anybody to know where the frame ends, there is no Next.
func (l *MPAStart) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	n, whole := l.Decode(data)
	if n == 0 {
		if len(data) < iwarp.StartSize && l.Fault.Offset == len(data) {
			df.SetTruncated()
		}
		return errors.New(l.Fault.String())
	}
	// The private data as far as it is here, which is all that the same frame
	// would have with a PD_Length that fits.
	here := l.Start
	here.PDLength = len(l.Bytes) - iwarp.StartSize
	private := here.PrivateData()
	l.Contents, l.Payload, l.Next = l.Bytes[:len(l.Bytes)-len(private)], private, nil
	switch {
	case !whole:
		df.SetTruncated()
	case l.PDLength > iwarp.MaxPrivateData:
		l.Payload = data[n:]
	default:
		l.Next = data[n:]
	}
	return nil
}

// SerializeTo prepends the frame to what b holds, its private data. Of Flags
// the four reserved bits count. The enhanced setup is written if HasDepths is
// set. With FixLengths it sets PDLength.
func (l *MPAStart) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if l.HasDepths {
		h, err := b.PrependBytes(4)
		if err != nil {
			return err
		}
		binary.BigEndian.PutUint16(h, bit16(l.PeerToPeer, 15)|bit16(l.ZeroSend, 14)|l.IRD&0x3FFF)
		binary.BigEndian.PutUint16(h[2:], bit16(l.ZeroWrite, 15)|bit16(l.ZeroRead, 14)|l.ORD&0x3FFF)
	}
	if opts.FixLengths {
		l.PDLength = len(b.Bytes())
	}
	h, err := b.PrependBytes(iwarp.StartSize)
	if err != nil {
		return err
	}
	copy(h, "MPA ID Req Frame")
	if l.Reply {
		copy(h, "MPA ID Rep Frame")
	}
	h[16] = bit(l.Markers, 7) | bit(l.CRC, 6) | bit(l.Reject, 5) | bit(l.Enhanced, 4) | l.Flags&0x0F
	h[17] = l.Revision
	binary.BigEndian.PutUint16(h[18:], uint16(l.PDLength))
	return nil
}

// bit is the byte with that bit set, or 0.
func bit(set bool, n int) byte { return byte(bit16(set, n)) }

// bit16 is the 16 bits with that one set, or 0.
func bit16(set bool, n int) uint16 {
	if set {
		return 1 << n
	}
	return 0
}

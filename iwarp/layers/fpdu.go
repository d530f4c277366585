package layers

import (
	"encoding/binary"
	"errors"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/iwarp"
)

// MaxFPDU is the most bytes that an FPDU without markers takes: a ULPDU_Length,
// a ULPDU of 65,535 bytes, three of pad and the CRC. A bufio.Scanner that uses
// Split needs room for it.
const MaxFPDU = lengthSize + 0xFFFF + 3 + crcSize

const (
	lengthSize = 2 // bytes of ULPDU_Length
	crcSize    = 4 // bytes of the CRC
)

// An FPDU is a Framed PDU without markers (RFC 5044 section 4) as a gopacket
// layer: Contents is the ULPDU_Length, Payload is the ULPDU, as far as it is
// there.
type FPDU struct {
	layers.BaseLayer
	ULPDULength int    // bytes of the ULPDU
	Pad         []byte // 0 to 3 bytes; zero by the RFC, and not always by Linux siw
	// CRC is the CRC field as a big-endian number, as iwarp.CRC computes it. It
	// means nothing if neither start-up frame asked for CRCs: Linux siw, for
	// one, then sends 0.
	CRC uint32
	// Whole says that all of it was there. If not, CRC is 0.
	Whole bool
	// Next is what follows the FPDU in the bytes that were decoded: the next one.
	Next []byte

	covered []byte // what the CRC covers, if all is there
}

// LayerType is LayerTypeFPDU.
func (*FPDU) LayerType() gopacket.LayerType { return layerFPDU }

// CanDecode is LayerTypeFPDU.
func (*FPDU) CanDecode() gopacket.LayerClass { return gopacket.LayerType(layerFPDU) }

// NextLayerType is LayerTypeDDP.
func (*FPDU) NextLayerType() gopacket.LayerType { return layerDDP }

// DecodeFromBytes reads one FPDU. One byte is an error.
func (l *FPDU) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < lengthSize {
		df.SetTruncated()
		return errors.New("ULPDU_Length cut short")
	}
	length, size := measure(data)
	end, crcAt := lengthSize+length, size-crcSize
	*l = FPDU{
		BaseLayer:   layers.BaseLayer{Contents: data[:lengthSize], Payload: data[lengthSize:min(end, len(data))]},
		ULPDULength: length,
		Pad:         data[min(end, len(data)):min(crcAt, len(data))],
		Whole:       size <= len(data),
	}
	if !l.Whole {
		df.SetTruncated()
		return nil
	}
	l.CRC = binary.BigEndian.Uint32(data[crcAt:])
	l.Next = data[size:]
	l.covered = data[:crcAt]
	return nil
}

// ComputeCRC is what CRC should be if CRCs are in use (RFC 5044 section 4.4). It
// cannot be told unless the FPDU was decoded whole.
func (l *FPDU) ComputeCRC() (crc uint32, ok bool) {
	if l.covered == nil {
		return 0, false
	}
	return iwarp.CRC(l.covered), true
}

// SerializeTo puts the ULPDU_Length before what b holds, and pad and CRC after
// the ULPDU, which is the first ULPDULength bytes of b; what follows them may
// be FPDUs that are there already. With FixLengths all that b holds is the
// ULPDU, and the pad is zero. With ComputeChecksums it sets CRC.
func (l *FPDU) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if opts.FixLengths {
		l.ULPDULength = len(b.Bytes())
	}
	if l.ULPDULength < 0 || l.ULPDULength > 0xFFFF {
		return errors.New("ULPDU is longer than its length can say")
	}
	if l.ULPDULength > len(b.Bytes()) {
		return errors.New("ULPDU_Length is more than there is")
	}
	h, err := b.PrependBytes(lengthSize)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint16(h, uint16(l.ULPDULength))
	end := lengthSize + l.ULPDULength
	_, size := measure(h)
	if _, err := b.AppendBytes(size - end); err != nil {
		return err
	}
	all := b.Bytes()
	copy(all[size:], all[end:len(all)-(size-end)])
	clear(all[end:size])
	if !opts.FixLengths {
		copy(all[end:size-crcSize], l.Pad)
	}
	if opts.ComputeChecksums {
		l.CRC = iwarp.CRC(all[:size-crcSize])
	}
	binary.BigEndian.PutUint32(all[size-crcSize:], l.CRC)
	return nil
}

// measure reads a ULPDU_Length and says how many bytes the FPDU takes with it.
func measure(data []byte) (length, size int) {
	length = int(binary.BigEndian.Uint16(data))
	return length, (lengthSize+length+3)&^3 + crcSize
}

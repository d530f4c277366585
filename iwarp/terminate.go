package iwarp

import "encoding/binary"

// The least and the most bytes that the payload of a Terminate message takes:
// its control field alone, and with the segment length, an untagged DDP header
// and the header of an RDMA Read Request (RFC 5040 section 4.8).
const (
	TerminateMin = 4
	TerminateMax = TerminateMin + segmentLengthSize + UntaggedSize + ReadRequestSize

	segmentLengthSize = 2 // bytes of the DDP Segment Length
)

// The bits M, D and R in the third byte of the control field, as RFC 5040
// section 4.8 has them and as a little-endian compiler lays out bit-fields.
const (
	bitM, bitD, bitR                = 0x80, 0x40, 0x20
	littleM, littleD, littleR       = 0x01, 0x02, 0x04
	littleBits                uint8 = littleM | littleD | littleR
)

// A Termination is what a Terminate message says (RFC 5040 section 4.8).
type Termination struct {
	// Layer is who found the error (0 RDMAP, 1 DDP, 2 LLP, which is MPA here),
	// EType and ECode are its kind and code, of the layer's numbering.
	Layer, EType, ECode uint8
	// HasLength, HasDDP and HasRDMAP are the bits M, D and R: what of the
	// segment that was refused the message claims to repeat.
	HasLength, HasDDP, HasRDMAP bool
	// Length is the DDP Segment Length, in bytes. By its name it counts the
	// header; Linux siw leaves that out.
	Length uint16
	// DDP is the header of the segment, TaggedSize or UntaggedSize bytes, and
	// RDMAP the header of the RDMA Read Request in it, ReadRequestSize bytes.
	// Each is nil if it is not there, or was not captured whole, and both are
	// if the message is not as long as its bits say.
	DDP, RDMAP []byte
	// LittleEndian says that the control field was read as a little-endian
	// compiler lays out bit-fields, as Linux siw sends it: what RFC 5040 says
	// does not fit the message, and this does.
	LittleEndian bool

	bare bool // it is the control field alone
}

// Termination reads a Terminate message, if that is what the segment is and at
// least its control field was captured.
func (p *PDU) Termination() (t Termination, ok bool) {
	b, ok := p.message(OpTerminate)
	if !ok {
		return t, false
	}
	t, _ = readTermination(b, p.PayloadLength())
	return t, true
}

// fits reports whether a Terminate of length bytes on the wire, which begins
// with b, is as long as its bits say.
func fits(b []byte, length int) bool {
	_, ok := readTermination(b, length)
	return ok
}

// readTermination reads what was captured, at least TerminateMin bytes, of a
// Terminate that has length bytes on the wire, and reports whether that is as
// long as its bits say.
//
// The bits are where RFC 5040 has them unless all of these hold: the three are
// 0 there, one is set where a little-endian compiler has them and nothing else
// is, and the length is exactly what those announce or, if the header that is
// repeated is a Send's, what M and D do.
func readTermination(b []byte, length int) (t Termination, ok bool) {
	bits := b[2]
	t = Termination{Layer: b[0] >> 4, EType: b[0] & 15, ECode: b[1],
		HasLength: bits&bitM != 0, HasDDP: bits&bitD != 0, HasRDMAP: bits&bitR != 0}
	if t.place(b, length, t.HasRDMAP) {
		t.bare = length == TerminateMin
		return t, true
	}
	if bits != 0 && bits&^(littleM|littleD|littleR) == 0 && b[3] == 0 {
		little := Termination{Layer: b[0] & 15, EType: b[0] >> 4, ECode: b[1], LittleEndian: true,
			HasLength: bits&littleM != 0, HasDDP: bits&littleD != 0, HasRDMAP: bits&littleR != 0}
		if little.place(b, length, little.HasRDMAP) || little.place(b, length, false) && little.ofSend(b) {
			return little, true
		}
	}
	return t, false
}

// ofSend reports whether the terminated segment is one of a Send, by the first
// two bytes of its header if they were captured. Of such a one siw sets R,
// though there is no RDMA Read Request to repeat.
func (t *Termination) ofSend(b []byte) bool {
	at := TerminateMin
	if t.HasLength {
		at += segmentLengthSize
	}
	if !t.HasDDP || len(b) < at+2 {
		return t.HasDDP
	}
	p := PDU{Bytes: b[at:], length: len(b) - at}
	p.readHeader()
	return !p.Tagged && p.DV == version1 && p.RV == version1 && p.OpCode.IsSend()
}

// place finds the parts after the control field, and reports whether they take
// exactly the length on the wire. If they do not, none is set.
func (t *Termination) place(b []byte, length int, withRDMAP bool) bool {
	t.Length, t.DDP, t.RDMAP = 0, nil, nil
	part := func(at, size int) []byte {
		if at+size > len(b) {
			return nil
		}
		return b[at : at+size : at+size]
	}
	at, behind := TerminateMin, 0
	if withRDMAP {
		behind = ReadRequestSize
	}
	var segment, ddp, rdmap []byte
	if t.HasLength {
		segment = part(at, segmentLengthSize)
		at += segmentLengthSize
	}
	if t.HasDDP {
		// The header itself says which it is; if its first byte was not
		// captured, the length does.
		size := UntaggedSize
		if at < len(b) && b[at]&bitTagged != 0 || at >= len(b) && at+TaggedSize+behind == length {
			size = TaggedSize
		}
		ddp = part(at, size)
		at += size
	}
	if withRDMAP {
		rdmap = part(at, ReadRequestSize)
		at += ReadRequestSize
	}
	if at != length {
		return false
	}
	t.DDP, t.RDMAP = ddp, rdmap
	if segment != nil {
		t.Length = binary.BigEndian.Uint16(segment)
	}
	return true
}

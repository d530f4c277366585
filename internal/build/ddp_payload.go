package build

import "encoding/binary"

// A ReadRequest is the payload of an RDMA Read Request, 28 bytes (RFC 5040,
// section 4.4): the sink is the requester's memory, the source the responder's,
// Size in bytes.
type ReadRequest struct {
	SinkSTag   uint32
	SinkTO     uint64
	Size       uint32
	SourceSTag uint32
	SourceTO   uint64
}

// Bytes is the payload.
func (r ReadRequest) Bytes() []byte {
	b := appendHyper(appendWords(nil, r.SinkSTag), r.SinkTO)
	return appendHyper(appendWords(b, r.Size, r.SourceSTag), r.SourceTO)
}

// A Termination is the payload of a Terminate (RFC 5040, section 4.8): 4 bytes
// of control, then what there is of the segment that it terminates.
type Termination struct {
	Layer, EType uint8 // 4 bits each
	ECode        uint8
	// DDP is the terminated DDP header, 14 or 18 bytes, and RDMAP the payload
	// of the terminated RDMA Read Request, 28 bytes; nil if not told.
	DDP, RDMAP []byte
	// SegmentLength is that of the terminated DDP segment in bytes; it is
	// written (M set) if DDP is there.
	SegmentLength uint16
	// LittleEndian puts Layer and EType, and M, D and R, where Linux siw on a
	// little-endian machine puts them: at the other end of their bytes.
	LittleEndian bool
}

// Bytes is the payload.
func (t Termination) Bytes() []byte {
	m, d, r := byte(0x80), byte(0x40), byte(0x20)
	first := t.Layer<<4 | t.EType&0xf
	if t.LittleEndian {
		m, d, r = 0x01, 0x02, 0x04
		first = t.EType<<4 | t.Layer&0xf
	}
	told := t.DDP != nil
	b := []byte{first, t.ECode, flag(told, m|d) | flag(t.RDMAP != nil, r), 0}
	if told {
		b = append(binary.BigEndian.AppendUint16(b, t.SegmentLength), t.DDP...)
	}
	return append(b, t.RDMAP...)
}

// The operations of an AtomicRequest (RFC 7306, section 5.2.1).
const (
	AtomicFetchAdd = 0
	AtomicCmpSwap  = 2
)

// An AtomicRequest is the payload of an Atomic Request, 52 bytes (RFC 7306,
// section 5.2.1).
type AtomicRequest struct {
	OpCode               uint8 // 4 bits
	Identifier           uint32
	STag                 uint32
	TO                   uint64
	AddSwap, AddSwapMask uint64
	Compare, CompareMask uint64
}

// Bytes is the payload.
func (a AtomicRequest) Bytes() []byte {
	b := appendWords(nil, uint32(a.OpCode&0xf), a.Identifier, a.STag)
	for _, v := range []uint64{a.TO, a.AddSwap, a.AddSwapMask, a.Compare, a.CompareMask} {
		b = appendHyper(b, v)
	}
	return b
}

package wire

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// A Rewrite says what of a captured Send is to be another.
type Rewrite struct {
	// XID takes the place of the captured one, also in an RPC message that had the same.
	XID uint32
	// Credits takes the place of rdma_credit, unless KeepCredits.
	Credits     uint32
	KeepCredits bool
	// Segments take the place of those of the header, in its order: Read list, Write list,
	// Reply chunk. Those after the last stay as captured.
	Segments []rpcrdma.Segment
	// Positions take the place of those of the Read list; nil keeps them.
	Positions []uint32
	// RPC takes the place of what follows the header; nil keeps that.
	RPC []byte
}

// Append appends the rewritten message to b.
func (w *Rewrite) Append(b []byte, m *script.Message) []byte {
	start := len(b)
	h := &m.Header
	length := min(h.Length, len(m.Bytes))
	rpc := m.Bytes[length:]
	if w.RPC != nil {
		rpc = w.RPC
	}
	b = append(append(b, m.Bytes[:length]...), rpc...)
	own := b[start:]
	if len(own) < rpcrdma.FixedSize {
		return b // not even the words that every header has
	}
	before := binary.BigEndian.Uint32(own[rpcrdma.AtXID:])
	binary.BigEndian.PutUint32(own[rpcrdma.AtXID:], w.XID)
	if !w.KeepCredits {
		binary.BigEndian.PutUint32(own[rpcrdma.AtCredits:], w.Credits)
	}
	SetXID(own[length:], before, w.XID)
	for i, s := range w.Segments {
		if at, ok := SegmentAt(h, i); ok && at+rpcrdma.SegmentSize <= length {
			PutSegment(own[at:], s)
		}
	}
	for i, position := range w.Positions {
		if i < len(h.Reads) {
			binary.BigEndian.PutUint32(own[h.PositionAt(i):], position)
		}
	}
	return b
}

// SetXID replaces the XID that an RPC message begins with, if it is the one before.
func SetXID(rpc []byte, before, xid uint32) {
	if len(rpc) >= 4 && binary.BigEndian.Uint32(rpc) == before {
		binary.BigEndian.PutUint32(rpc, xid)
	}
}

// SegmentAt is where the i-th segment of a header stands, counted over Read list, Write
// list and Reply chunk; not ok if it has fewer.
func SegmentAt(h *rpcrdma.Header, i int) (at int, ok bool) {
	switch {
	case i < len(h.Reads):
		return h.ReadSegmentAt(i), true
	case i < len(h.Reads)+len(h.Segments):
		return h.SegmentAt(i - len(h.Reads)), true
	}
	return 0, false
}

// PutSegment writes a segment: handle, length, offset (RFC 8166, section 3.4.1). There have to be
// rpcrdma.SegmentSize bytes.
func PutSegment(b []byte, s rpcrdma.Segment) {
	binary.BigEndian.PutUint32(b, s.Handle)
	binary.BigEndian.PutUint32(b[rpcrdma.SegmentLength:], s.Length)
	binary.BigEndian.PutUint64(b[rpcrdma.SegmentLength+4:], s.Offset)
}

// Plain is an RDMA_MSG without chunks: a header of rpcrdma.LeastSize bytes, then the RPC
// message.
func Plain(xid, credits uint32, rpc []byte) []byte {
	b := make([]byte, rpcrdma.LeastSize, rpcrdma.LeastSize+len(rpc))
	binary.BigEndian.PutUint32(b[rpcrdma.AtXID:], xid)
	binary.BigEndian.PutUint32(b[rpcrdma.AtVersion:], rpcrdma.Version1)
	binary.BigEndian.PutUint32(b[rpcrdma.AtCredits:], credits)
	return append(b, rpc...)
}

package rpcrdma

import (
	"encoding/binary"
	"math/rand/v2"
)

// encode writes a header as RFC 8166, section 4.1.2, lays it out. It shares
// nothing with the decoder but the type.
func encode(h *Header) []byte {
	b := words(nil, h.XID, h.Version, h.Credits, uint32(h.Proc))
	switch h.Proc {
	case RDMADone:
		return b
	case RDMAError:
		b = words(b, uint32(h.Error))
		if h.Error == ErrVers {
			b = words(b, h.VersLow, h.VersHigh)
		}
		return b
	case RDMAMsgP:
		b = words(b, h.Align, h.Thresh)
	}
	for _, r := range h.Reads {
		b = encodeSegments(words(b, 1, r.Position), []Segment{r.Segment})
	}
	b = words(b, 0)
	for _, c := range h.Writes {
		b = encodeSegments(words(b, 1, uint32(c.Count)), h.ChunkSegments(c))
	}
	b = words(b, 0)
	if !h.HasReply {
		return words(b, 0)
	}
	return encodeSegments(words(b, 1, uint32(h.Reply.Count)), h.ChunkSegments(h.Reply))
}

func encodeSegments(b []byte, segments []Segment) []byte {
	for _, s := range segments {
		b = words(b, s.Handle, s.Length, uint32(s.Offset>>32), uint32(s.Offset))
	}
	return b
}

func words(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

func randomHeader(rnd *rand.Rand) Header {
	h := Header{XID: rnd.Uint32(), Version: 1, Credits: rnd.Uint32(), Proc: Proc(rnd.IntN(5))}
	switch h.Proc {
	case RDMADone:
		return h
	case RDMAError:
		h.Error = ErrorCode(1 + rnd.IntN(2))
		if h.Error == ErrVers {
			h.VersLow, h.VersHigh = rnd.Uint32(), rnd.Uint32()
		}
		return h
	case RDMAMsgP:
		h.Align, h.Thresh = rnd.Uint32(), rnd.Uint32()
	}
	segment := func() Segment { return Segment{rnd.Uint32(), rnd.Uint32(), rnd.Uint64()} }
	chunk := func() Chunk {
		c := Chunk{First: len(h.Segments), Count: rnd.IntN(4)}
		for range c.Count {
			h.Segments = append(h.Segments, segment())
		}
		return c
	}
	for range rnd.IntN(6) {
		h.Reads = append(h.Reads, ReadSegment{4 * uint32(rnd.IntN(3)), segment()})
	}
	for range rnd.IntN(4) {
		h.Writes = append(h.Writes, chunk())
	}
	if rnd.IntN(2) == 1 {
		h.HasReply, h.Reply = true, chunk()
	}
	return h
}

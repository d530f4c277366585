package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// Word marks a word of XDR in a message, at an offset in its Send.
func (f *Finding) Word(m *dissect.Message, offset int) *Finding { return f.In(m, offset, xdr.WordSize) }

// ReadSegment marks the i-th entry of a message's Read list: Position and segment.
func (f *Finding) ReadSegment(m *dissect.Message, i int) *Finding {
	if f == nil {
		return nil
	}
	return f.In(m, m.Header.PositionAt(i), xdr.WordSize+rpcrdma.SegmentSize)
}

// WriteChunk marks the i-th Write chunk of a message, segment count and segments, if
// there is one.
func (f *Finding) WriteChunk(m *dissect.Message, i int) *Finding {
	if f == nil {
		return nil
	}
	h := &m.Header
	if i >= len(h.Writes) {
		return f
	}
	return f.In(m, h.WriteCountAt(i), xdr.WordSize+h.Writes[i].Count*rpcrdma.SegmentSize)
}

// ReplyChunk marks the Reply chunk of a message, or the word that says that there is
// none.
func (f *Finding) ReplyChunk(m *dissect.Message) *Finding {
	if f == nil {
		return nil
	}
	h := &m.Header
	if !h.HasReply {
		return f.Word(m, h.ReplyAt())
	}
	return f.In(m, h.ReplyCountAt(), xdr.WordSize+h.Reply.Count*rpcrdma.SegmentSize)
}

// Body marks bytes of a message's arguments or result, from an offset in b on, if
// they are in the Send.
func (f *Finding) Body(m *dissect.Message, b *dissect.Body, offset, length int) *Finding {
	if f == nil {
		return nil
	}
	if m.Transfer == dissect.Long {
		return f
	}
	return f.In(m, m.Header.Length+b.Start+offset, length)
}

// InvalidatedAt is where the handle that a Send with Invalidate names lies in the
// frames: the IETH, which is right before the payload of the last packet (IBA
// 9.3.8), or the Invalidate STag of the first DDP segment (RFC 5040, section 4.4).
// It is nowhere if the bytes of the Send are not known to be.
func InvalidatedAt(m *dissect.Message) (p flow.Place) {
	places := m.Place(nil, 0, m.Length)
	if len(places) == 0 {
		return p
	}
	if !m.Connection.IWARP() {
		p = places[len(places)-1]
		p.Offset, p.Length = p.Offset-xdr.WordSize, xdr.WordSize
		return p
	}
	const behind = 16 // bytes from the STag to the payload: itself, QN, MSN, MO
	if len(places) > len(m.Frames) {
		return p // markers are among them, and perhaps in the header too
	}
	p = places[0]
	p.Offset, p.Length = p.Offset-behind, xdr.WordSize
	return p
}

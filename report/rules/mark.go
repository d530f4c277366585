package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// Word marks a word of XDR in a message, at an offset in its Send.
func (f *Finding) Word(m *dissect.Message, offset int) *Finding { return f.In(m, offset, xdr.WordSize) }

// ReadSegment marks the i-th entry of a message's Read list: Position and segment.
func (f *Finding) ReadSegment(m *dissect.Message, i int) *Finding {
	return f.In(m, m.Header.PositionAt(i), xdr.WordSize+rpcrdma.SegmentSize)
}

// WriteChunk marks the i-th Write chunk of a message, segment count and segments, if
// there is one.
func (f *Finding) WriteChunk(m *dissect.Message, i int) *Finding {
	h := &m.Header
	if i >= len(h.Writes) {
		return f
	}
	return f.In(m, h.WriteCountAt(i), xdr.WordSize+h.Writes[i].Count*rpcrdma.SegmentSize)
}

// ReplyChunk marks the Reply chunk of a message, or the word that says that there is
// none.
func (f *Finding) ReplyChunk(m *dissect.Message) *Finding {
	h := &m.Header
	if !h.HasReply {
		return f.Word(m, h.ReplyAt())
	}
	return f.In(m, h.ReplyCountAt(), xdr.WordSize+h.Reply.Count*rpcrdma.SegmentSize)
}

// Body marks octets of a message's arguments or result, from an offset in b on, if
// they are in the Send.
func (f *Finding) Body(m *dissect.Message, b *dissect.Body, offset, length int) *Finding {
	if m.Transfer == dissect.Long {
		return f
	}
	return f.In(m, m.Header.Length+b.Start+offset, length)
}

package dissect

import (
	"sort"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
)

// Place appends to dst where length bytes of the Send, from an offset in it on,
// lie in the frames. A run of them may lie in several places: in several frames,
// or on both sides of a marker of MPA. What is not known to lie anywhere has
// none: bytes after those captured, or beyond the bounds of what is remembered.
func (m *Message) Place(dst []flow.Place, offset, length int) []flow.Place {
	if offset < 0 || length <= 0 {
		return dst
	}
	length = min(length, m.Length)
	i, behind := 0, func(i int) bool { return m.pieces[i].Start+m.pieces[i].Length > offset }
	switch n := len(m.pieces); {
	case n > 1:
		i = sort.Search(n, behind)
	case n == 1 && !behind(0): // most have one
		return dst
	}
	for end := offset + length; i < len(m.pieces) && m.pieces[i].Start < end; i++ {
		p := &m.pieces[i]
		from := max(offset, p.Start)
		dst = append(dst, flow.Place{
			Ref:    p.Ref,
			Offset: p.Offset + from - p.Start,
			Length: min(end, p.Start+p.Length) - from,
		})
	}
	return dst
}

// Raw are the bytes of the Send as far as they were captured, as Whole and
// Missing say. They are valid only while a Sink receives the message, in
// Sink.Message; at any other time there are none.
func (m *Message) Raw() []byte { return m.raw }

// Inline are the bytes of the Send after its transport header as far as they
// were captured, of which there are Length-Header.Length on the wire; after a
// header with a fault, those after the bytes that were decoded. They are valid
// as long as Raw, and with Options.KeepBytes as long as the message.
func (m *Message) Inline() []byte {
	data := m.raw
	if data == nil {
		data = m.Bytes
	}
	return data[min(m.Header.Length, len(data)):]
}

// RPCFault is what is wrong with the inline RPC header, with its byte in the
// Send.
func (m *Message) RPCFault() field.Fault {
	f := m.rpcFault
	if f.Bad() {
		f.Offset += m.Header.Length
	}
	return f
}

// Offset is where in the Send bytes of a frame lie that are a part of it, as Place
// gives them; not ok if they are not all of one piece.
func (m *Message) Offset(p flow.Place) (offset int, ok bool) { return Pieces(m.pieces).Offset(p) }

// Pieces are where the bytes of a Send lie, in the order of the bytes.
type Pieces []flow.Piece

// Pieces is a copy of where the message's bytes lie, for when it is no longer valid.
func (m *Message) Pieces() Pieces { return append(Pieces(nil), m.pieces...) }

// Offset is that of Message.
func (pieces Pieces) Offset(p flow.Place) (offset int, ok bool) {
	for i := range pieces {
		q := &pieces[i]
		if q.Ref == p.Ref && q.Offset <= p.Offset && p.Offset+p.Length <= q.Offset+q.Length {
			return q.Start + p.Offset - q.Offset, true
		}
	}
	return 0, false
}

package ddp

import (
	"encoding/binary"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// A guess is a body with one thing changed: does it fit then?
type guess struct {
	walker  walk.Walker
	bytes   []byte
	reads   []walk.ReadChunk
	reduced walk.Reduction
	body    *dissect.Body
}

// guessFor begins with a body as it is.
func (g *guess) guessFor(b *dissect.Body) *guess {
	g.body = b
	g.bytes = b.Bytes
	g.reads = append(g.reads[:0], b.Reduced.Reads...)
	g.reduced = b.Reduced
	return g
}

// without leaves out n inline bytes from one on, with insert instead of them.
func (g *guess) without(at, n int, insert ...byte) *guess {
	b := g.body.Bytes
	if at < 0 || at+n > len(b) {
		g.bytes = nil
		return g
	}
	g.bytes = slices.Concat(b[:at], insert, b[at+n:])
	return g
}

// words puts words before an inline byte.
func (g *guess) words(at int, words ...uint32) *guess {
	var b []byte
	for _, w := range words {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return g.without(at, 0, b...)
}

// putChunk sets the Position and length of a Read chunk.
func (g *guess) putChunk(chunk int, position, length uint32) *guess {
	g.reads[chunk] = walk.ReadChunk{Position: position, Length: length}
	return g
}

// shift moves the Positions of the Read chunks after one.
func (g *guess) shift(chunk int, by uint32) *guess {
	for i := chunk + 1; i < len(g.reads); i++ {
		g.reads[i].Position += by
	}
	return g
}

// fits reports whether it fits to the last byte: each Read chunk, and each Write
// chunk that was used, has an eligible item of its length.
func (g *guess) fits() bool {
	if g.bytes == nil {
		return false
	}
	g.reduced.Reads = g.reads
	g.walk()
	w := &g.walker
	if w.Fault.Bad() || w.Dropped || w.Consumed != len(g.bytes) {
		return false
	}
	reads, used := 0, 0
	for i := range w.Events {
		e := &w.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 {
			continue
		}
		length := uint32(0)
		if len(g.reduced.Writes) > 0 {
			length = g.reduced.Writes[e.Chunk]
			used++
		} else {
			length = g.reads[e.Chunk].Length
			reads++
		}
		if !e.Eligible || length != e.Length && uint64(length) != xdr.Padded(e.Length) {
			return false
		}
	}
	for _, n := range g.reduced.Writes {
		if n > 0 {
			used--
		}
	}
	return reads == len(g.reads) && used == 0
}

// walk goes over it as it is now.
func (g *guess) walk() {
	g.reduced.Reads = g.reads
	g.walker.Walk(g.body.Binding.Route(len(g.reduced.Writes) > 0), g.bytes, g.reduced)
}

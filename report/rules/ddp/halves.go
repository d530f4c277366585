package ddp

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// halves tries whether items stand partly inline, after whose length words, and the rest of them is
// in their chunks: those that are shorter than their items.
func (g *guess) halves(b *dissect.Body) (d bodyMismatch, ok bool) {
	for _, padded := range [...]bool{true, false} {
		d, ok = bodyMismatch{}, false
		g.guessFor(b)
		g.reduced.Writes = slices.Clone(g.reduced.Writes)
		for range mostCandidates {
			if g.fits() {
				return d, ok
			}
			e := g.shorter()
			if e == nil {
				break
			}
			there, at := g.length(e), int(e.Offset)
			left := int(e.Length - there)
			n := left
			if padded {
				n += int(-e.Length & 3)
			}
			if n > len(g.bytes)-at {
				break
			}
			if !ok {
				d, ok = bodyMismatch{mismatch: halved, chunk: int(e.Chunk), at: at, length: left, expected: uint64(e.Length), what: g.name(e)}, true
			}
			g.lengthen(e)
			g.bytes = slices.Concat(g.bytes[:at], g.bytes[at+n:])
		}
	}
	return bodyMismatch{}, false
}

// shorter is the first item of the walk that has more bytes than its chunk, nil if none has.
func (g *guess) shorter() *walk.Event {
	for i := range g.walker.Events {
		if e := &g.walker.Events[i]; e.Kind == walk.Item && e.Chunk >= 0 && e.Eligible && g.length(e) < e.Length {
			return e
		}
	}
	return nil
}

// length is how many bytes the chunk of an item has.
func (g *guess) length(e *walk.Event) uint32 {
	if len(g.reduced.Writes) > 0 {
		return g.reduced.Writes[e.Chunk]
	}
	return g.reads[e.Chunk].Length
}

// lengthen makes the chunk of an item as long as that.
func (g *guess) lengthen(e *walk.Event) {
	if len(g.reduced.Writes) > 0 {
		g.reduced.Writes[e.Chunk] = e.Length
	} else {
		g.reads[e.Chunk].Length = e.Length
	}
}

// inside tries whether the Position of a Read chunk lies within an item, the first bytes of which are
// inline.
func (g *guess) inside(b *dissect.Body, k int) (d bodyMismatch, ok bool) {
	if k == len(b.Reduced.Reads) {
		return d, false
	}
	c := b.Reduced.Reads[k]
	for _, p := range g.candidates(b, k) {
		at := int64(p) - int64(b.Start) - removedBefore(b, k)
		if p >= c.Position || at < xdr.WordSize || at > int64(len(b.Bytes)) {
			continue
		}
		n := c.Position - p
		length, _ := xdr.WordAt(b.Bytes, int(at)-xdr.WordSize)
		if n >= length || uint64(n)+uint64(c.Length) != uint64(length) && uint64(n)+uint64(c.Length) != xdr.Padded(uint64(length)) {
			continue
		}
		if g.guessFor(b).without(int(at), int(n)).putChunk(k, p, length).fits() {
			d = bodyMismatch{mismatch: halved, chunk: k, at: int(at), length: int(n), expected: uint64(length)}
			for i := range g.walker.Events {
				if e := &g.walker.Events[i]; e.Kind == walk.Item && int(e.Chunk) == k {
					d.what = g.name(e)
				}
			}
			return d, true
		}
	}
	return d, false
}

// name is what an item of the walk is called, for a person.
func (g *guess) name(e *walk.Event) string {
	b := dissect.Body{Binding: g.body.Binding}
	b.Events = g.walker.Events
	return itemName(&b, e)
}

package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// missing tries whether words that belong before an item went into its chunk, or
// got lost: the length word, and perhaps a union's discriminant before it.
func (g *guess) missing(b *dissect.Body, k int, tags []uint32) (d bodyMismatch, ok bool) {
	c := b.Reduced.Reads[k]
	at := int64(c.Position) - int64(b.Start) - removedBefore(b, k)
	if at < 0 || at > int64(len(b.Bytes))+xdr.WordSize {
		return d, false
	}
	stop := int(at)
	d = bodyMismatch{mismatch: misaligned, letter: "a", chunk: k, at: stop, expected: xdr.WordSize}
	length := c.Length
	switch {
	case length > xdr.WordSize && g.guessFor(b).words(stop, length-xdr.WordSize).putChunk(k, c.Position+xdr.WordSize, length-xdr.WordSize).fits():
		d.expected = uint64(length - xdr.WordSize)
		d.what, _ = g.item(k)
		return d, true // it is in the chunk
	case stop >= xdr.WordSize && g.guessFor(b).words(stop-xdr.WordSize, length).fits():
		d.at, d.expected = stop-xdr.WordSize, uint64(length)
		d.what, _ = g.item(k)
		return d, true // it is nowhere, and the Position counts it
	case g.guessFor(b).words(stop, length).putChunk(k, c.Position+xdr.WordSize, length).shift(k, xdr.WordSize).fits():
		d.expected = uint64(length)
		d.what, _ = g.item(k)
		return d, true // it is nowhere, and the Position does not count it
	}
	d.letter = "b"
	for _, tag := range tags {
		if length > 2*xdr.WordSize && g.guessFor(b).words(stop, tag, length-2*xdr.WordSize).putChunk(k, c.Position+2*xdr.WordSize, length-2*xdr.WordSize).fits() {
			d.expected = uint64(tag)
			d.what, _ = g.item(k)
			return d, true
		}
	}
	return d, false
}

// removedBefore is how many bytes the items of the chunks before one have, with
// their pads.
func removedBefore(b *dissect.Body, k int) (n int64) {
	for j := range k {
		if e := chunkItem(b, j); e != nil {
			n += int64(xdr.Padded(e.Length))
		}
	}
	return n
}

// around tries whether there are bytes too many or too few where an item was
// taken out.
func (g *guess) around(b *dissect.Body, e *walk.Event) (d bodyMismatch, ok bool) {
	if e == nil {
		return d, false
	}
	at, pad := int(e.Offset), int(-e.Length&3)
	d = bodyMismatch{mismatch: misaligned, letter: "c", chunk: int(e.Chunk), at: at, what: itemName(b, e)}
	for _, n := range [...]int{pad, 4} {
		if n > 0 && zeros(b.Bytes, at, n) && g.guessFor(b).without(at, n).fits() {
			d.length = n
			return d, true
		}
	}
	for _, n := range [...]uint64{xdr.Padded(e.Length), uint64(e.Length)} {
		if n > 0 && n <= uint64(len(b.Bytes)) && g.guessFor(b).without(at, int(n)).fits() {
			d.length = int(n)
			return d, true
		}
	}
	d.letter = "d"
	for n := 1; n < 4; n++ {
		if g.guessFor(b).without(at, n).fits() {
			d.length = n
			return d, true
		}
		if g.guessFor(b).without(at, 0, make([]byte, n)...).fits() {
			d.expected = uint64(n)
			return d, true
		}
	}
	return d, false
}

// zeros reports whether n bytes from one on are there and are 0.
func zeros(b []byte, at, n int) bool {
	if at < 0 || at+n > len(b) {
		return false
	}
	for _, v := range b[at : at+n] {
		if v != 0 {
			return false
		}
	}
	return true
}

// split tries whether an item is only partly in its chunk, and the rest of it in
// further chunks. Where it is inline, halves finds that.
func (g *guess) split(b *dissect.Body, k int) (d bodyMismatch, ok bool) {
	e := chunkItem(b, k)
	length := b.Reduced.Reads[k].Length
	if e == nil || uint64(length) >= uint64(e.Length) {
		return d, false
	}
	d = bodyMismatch{mismatch: mismatched, letter: "c", chunk: k, at: int(e.Offset), expected: uint64(e.Length), what: itemName(b, e)}
	end := uint64(b.Reduced.Reads[k].Position) + xdr.Padded(e.Length)
	g.guessFor(b)
	kept := g.reads[:k+1]
	for _, c := range g.reads[k+1:] {
		if uint64(c.Position) >= end {
			kept = append(kept, c)
		}
	}
	g.reads = kept
	g.reads[k].Length = e.Length
	return d, g.fits()
}

// result says what is wrong with what stands inline around the items of a reply
// that Write chunks carried.
func (g *guess) result(b *dissect.Body) (d bodyMismatch, ok bool) {
	var last *walk.Event
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Item && e.Chunk >= 0 {
			last = e
		}
	}
	if last != nil {
		// What was read as the length word may be what follows a missing one.
		at := int(last.Offset) - xdr.WordSize
		length := b.Reduced.Writes[last.Chunk]
		if last.Length != length && g.guessFor(b).words(at, length).fits() {
			return bodyMismatch{mismatch: misaligned, letter: "a", chunk: int(last.Chunk), at: at, expected: uint64(length), what: itemName(b, last)}, true
		}
		if d, ok = g.around(b, last); ok {
			return d, true
		}
	}
	// Nothing stands where the length word of the next chunk's item belongs.
	if !b.Fault.Bad() || !b.Cut || b.Fault.Offset != len(b.Bytes) {
		return d, false
	}
	for k := b.Chunks; k < len(b.Reduced.Writes); k++ {
		length := b.Reduced.Writes[k]
		if length == 0 {
			continue
		}
		if g.guessFor(b).words(len(b.Bytes), length).fits() {
			d = bodyMismatch{mismatch: misaligned, letter: "a", chunk: k, at: len(b.Bytes), expected: uint64(length)}
			d.what, _ = g.item(k)
			return d, true
		}
		break
	}
	return d, false
}

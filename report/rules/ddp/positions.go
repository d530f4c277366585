package ddp

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// mostCandidates is how many places are tried for an item that is not where its
// chunk says.
const mostCandidates = 8

// positions looks for the item that a chunk may be meant for.
func (g *guess) positions(b *dissect.Body, k int) (d bodyMismatch, ok bool) {
	reads := b.Reduced.Reads
	if k == len(reads) {
		return d, false
	}
	d = bodyMismatch{mismatch: misplaced, chunk: k, letter: "c"}
	// Did the sender count in the reduced stream?
	if k > 0 {
		g.guessFor(b)
		for j, removed := 0, uint32(0); j < len(reads); j++ {
			g.reads[j].Position += removed
			removed += uint32(xdr.Padded(reads[j].Length))
		}
		if g.fits() {
			d.letter, d.expected = "d", uint64(g.reads[k].Position)
			d.what, d.at = g.item(k)
			return d, true
		}
	}
	for _, p := range g.candidates(b, k) {
		if g.guessFor(b).putChunk(k, p, reads[k].Length).fits() {
			if end := uint64(b.Start) + g.walker.Unreduced; uint64(reads[k].Position) >= end {
				d.letter = "b"
			}
			d.expected = uint64(p)
			d.what, d.at = g.item(k)
			return d, true
		}
	}
	return d, false
}

// candidates are the Positions of eligible items from chunk k on, read without it:
// those that seem to be inline, and the one whose bytes are not there.
func (g *guess) candidates(b *dissect.Body, k int) (list []uint32) {
	g.guessFor(b)
	g.reads = g.reads[:k]
	g.walk()
	w := &g.walker
	for i := range w.Events {
		if e := &w.Events[i]; e.Kind == walk.Item && e.Chunk < 0 && e.Eligible && len(list) < mostCandidates {
			list = append(list, uint32(e.Position))
		}
	}
	if w.Fault.Bad() && w.Cut {
		list = append(list, uint32(uint64(b.Start)+w.Unreduced-uint64(w.Consumed)+uint64(w.Fault.Offset)+4))
	}
	return slices.DeleteFunc(list, func(p uint32) bool { return p == b.Reduced.Reads[k].Position })
}

// item names the item that a chunk has in the guess, and says where it is inline.
func (g *guess) item(k int) (name string, at int) {
	for i := range g.walker.Events {
		if e := &g.walker.Events[i]; e.Kind == walk.Item && int(e.Chunk) == k {
			return g.body.Binding.Plan().Fields[e.Field].Name, int(e.Offset)
		}
	}
	return "", 0
}

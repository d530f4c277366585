package memory

import (
	"math/bits"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Verdict says what an RDMA operation is to the grants of its connection.
type Verdict uint8

const (
	Fits      Verdict = iota // live grants allow it
	Outside                  // the handle is live, the range is not all in it
	Direction                // a live grant has the range, but for the other direction
	OwnMemory                // the handle was granted by the very end that issues the operation
	TooLate                  // a grant that is over would have allowed it
	Never                    // no grant of the handle is known
)

// Find judges an operation. The grant is the one that the verdict is about: of the
// handle's the newest that fits best; nil for Never. It is Fits too, with the newest
// grant, where live grants of the handle were forgotten, since there are very many.
func (b *Ledger) Find(from flow.End, handle uint32, offset uint64, length uint64, write bool) (Verdict, *AdvertisedSegment) {
	best, about := Never, (*AdvertisedSegment)(nil)
	better := func(v Verdict, g *AdvertisedSegment) {
		if about == nil || v < best {
			best, about = v, g
		}
	}
	var live [mostSame]rpcrdma.Segment // that the operation may use
	n, part := 0, (*AdvertisedSegment)(nil)
	for g := b.Newest(handle); g != nil; g = g.Older() {
		inside, right := g.Has(offset, length), (g.Purpose != rpcrdma.ForRead) == write
		switch {
		case g.More():
			return Fits, b.Newest(handle)
		case g.Owner == from:
			better(OwnMemory, g)
		case g.Over != Live:
			better(TooLate, g)
		case inside && right:
			return Fits, g
		case inside:
			better(Direction, g)
		default:
			better(Outside, g)
		}
		if g.Owner != from && g.Over == Live && right && n < len(live) {
			live[n], n, part = g.Segment, n+1, g
		}
	}
	if n > 1 && covers(handle, offset, length, n, func(i int) (rpcrdma.Segment, bool) { return live[i], true }) {
		return Fits, part
	}
	return best, about
}

// former looks whether grants of a handle that are over had the bytes of an
// operation, and returns the newest of them; nil if they had not.
func (b *Ledger) former(from flow.End, handle uint32, offset, length uint64, write bool) (newest *AdvertisedSegment) {
	var over [mostSame]rpcrdma.Segment
	n := 0
	for g := b.Newest(handle); g != nil; g = g.Older() {
		if g.Over == Live || g.Owner == from || (g.Purpose != rpcrdma.ForRead) != write {
			continue
		}
		if g.Has(offset, length) {
			return g
		}
		if n < len(over) {
			over[n], n = g.Segment, n+1
		}
		if newest == nil {
			newest = g
		}
	}
	if n > 1 && covers(handle, offset, length, n, func(i int) (rpcrdma.Segment, bool) { return over[i], true }) {
		return newest
	}
	return nil
}

// FindAccess judges the operation of an Access.
func (b *Ledger) FindAccess(a *dissect.Access) (Verdict, *AdvertisedSegment) {
	return b.Find(a.From, a.Handle, a.Offset, uint64(a.Length), a.Kind == dissect.AccessWrite)
}

// Swapped is the grant whose handle has the same bytes in reverse order, nil if
// there is none: an end that took it for little-endian would name it so.
func (b *Ledger) Swapped(handle uint32) *AdvertisedSegment {
	return b.Newest(bits.ReverseBytes32(handle))
}

// lasts reports whether several calls advertised different ranges of a handle that were live at the
// same time: it is not registered anew for each call, so that one that is missing from the capture
// may have advertised any range of it.
func (b *Ledger) lasts(handle uint32) bool {
	for g := b.Newest(handle); g != nil; g = g.Older() {
		for old := g.Older(); old != nil; old = old.Older() {
			if g.More() || old.More() || g.Call != old.Call && g.Offset != old.Offset && (old.Over == Live || old.Until > g.Since) {
				return true
			}
		}
	}
	return false
}

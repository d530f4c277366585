package ulb

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A trial reads a result that does not fit its Write chunks as if they belonged to other
// items. What fits to the last byte, with the length of each item, is no accident.
type trial struct {
	walker walk.Walker
	writes []uint32
}

// unreadableResult is the result of an RPC of NFS with Write chunks that cannot be read as they are
// returned, nil if it can, or if something else may be wrong.
func unreadableResult(c *rules.Conn, r *dissect.RPC) *dissect.Body {
	if r.Call == nil || r.Reply == nil || len(r.Call.Header.Writes) == 0 || r.Reply.Transfer == dissect.Long {
		return nil
	}
	h := called(c, r)
	if h == nil || h.Program != rpc.ProgramNFS || h.Version != 4 || !c.Sound(r.Reply) || !c.Paired(r) {
		return nil
	}
	b := r.Reply.Body()
	if b == nil || b.Dropped || !b.Fault.Bad() && b.Left == 0 {
		return nil
	}
	return b
}

// fits reports whether a result can be read with chunks of some lengths.
func (t *trial) fits(b *dissect.Body) bool {
	w := &t.walker
	w.Walk(b.Binding.Route(true), b.Bytes, walk.Reduction{Start: b.Reduced.Start, Writes: t.writes})
	if w.Fault.Bad() || w.Consumed != len(b.Bytes) || w.Dropped || w.Skipped {
		return false
	}
	for i := range w.Events {
		if e := &w.Events[i]; e.Kind == walk.Item && e.Chunk >= 0 && t.writes[e.Chunk] != e.Length {
			return false
		}
	}
	return true
}

// shared tries whether a chunk has the data of two items: that of the k-th chunk, which is of
// length n, and the one behind it.
func (t *trial) shared(b *dissect.Body) (k int, first, second uint32, ok bool) {
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 || b.Reduced.Writes[e.Chunk] <= e.Length {
			continue
		}
		k, first = int(e.Chunk), e.Length
		second = b.Reduced.Writes[k] - first
		t.writes = append(append(append(t.writes[:0], b.Reduced.Writes[:k]...), first, second), b.Reduced.Writes[k+1:]...)
		if t.fits(b) {
			return k, first, second, true
		}
	}
	return 0, 0, 0, false
}

// taken tries whether the k-th chunk has the data of the item after its own, which is inline.
func (t *trial) taken(b *dissect.Body) (k int, ok bool) {
	for k := range b.Reduced.Writes {
		if b.Reduced.Writes[k] == 0 {
			continue
		}
		t.writes = slices.Insert(append(t.writes[:0], b.Reduced.Writes...), k, 0)
		if t.fits(b) {
			return k, true
		}
		if last := len(t.writes) - 1; t.writes[last] == 0 && last > k+1 {
			if t.writes = t.writes[:last]; t.fits(b) { // the chunk of that item is unused
				return k, true
			}
		}
	}
	return 0, false
}

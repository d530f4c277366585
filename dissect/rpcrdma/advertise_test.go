package rpcrdma

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// live is how many regions operations may still be entered for.
func (l *Ledger) live() (n int) {
	for _, r := range l.newest {
		for ; r != nil; r = r.older {
			if r.offer != nil {
				n++
			}
		}
	}
	return n
}

// same are the regions with a handle, the newest first, in one line.
func (l *Ledger) same(handle uint32) (list []string) {
	for r := l.Newest(handle); r != nil; r = r.Older() {
		list = append(list, fmt.Sprintf("%#x of %d: %s in %d", r.XID, r.Owner, r.Over, r.By.Number))
	}
	return list
}

// one advertises a segment for RDMA Writes.
func (l *Ledger) one(t testing.TB, owner flow.End, xid uint32, s Segment) *Offer {
	o := new(Offer)
	h := offering(t, nil, [][]Segment{{s}}, nil)
	h.XID = xid
	l.Advertise(o, h, owner, flow.Ref{Number: int64(xid)})
	return o
}

func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestEndings ends regions in each way.
func TestEndings(t *testing.T) {
	l := NewLedger(new(Store))
	a, b, c, d := l.one(t, 0, 1, Segment{1, 10, 100}), l.one(t, 1, 2, Segment{1, 10, 100}), l.one(t, 0, 3, Segment{1, 10, 100}), l.one(t, 0, 4, Segment{1, 10, 100})
	l.End(a, Replied, flow.Ref{Number: 5}, 5)
	l.End(a, Failed, flow.Ref{Number: 6}, 6) // it is over
	l.End(b, Replied, flow.Ref{Number: 7}, 7)
	l.Invalidate(1, flow.Ref{Number: 7}, 7)
	want(t, "ended", l.same(1), "0x4 of 0: a Send With Invalidate in 7", "0x3 of 0: a Send With Invalidate in 7", "0x2 of 1: a Send With Invalidate in 7", "0x1 of 0: the reply in 5")
	if o, r := l.Push(0, 1, 100, 1, []byte{1}); o != d || r == nil || r.Over != Invalidated {
		t.Error("no operation may be entered behind the end, before the offer is retired")
	}
	l.Expire(d)
	l.Expire(b)
	if o, r := l.Push(0, 1, 100, 1, []byte{1}); o != c || r.Offer() != c {
		t.Error("what was retired takes operations")
	}
	if o, _ := l.Push(1, 1, 100, 1, []byte{1}); o != nil {
		t.Error("memory of the other end takes operations")
	}
	e := l.one(t, 0, 8, Segment{1, 10, 100})
	l.End(e, Failed, flow.Ref{Number: 9}, 9)
	l.Expire(e)
	l.Expire(l.one(t, 0, 10, Segment{1, 10, 100}))
	want(t, "retired", l.same(1), "0xa of 0: the end of its unanswered call in 10", "0x8 of 0: the RDMA_ERROR in 9", "0x4 of 0: a Send With Invalidate in 7",
		"0x3 of 0: a Send With Invalidate in 7", "0x2 of 1: a Send With Invalidate in 7", "0x1 of 0: the reply in 5")
	if l.Advertised() != 6 || l.Newest(2) != nil {
		t.Errorf("%d advertised, of handle 2 %v", l.Advertised(), l.Newest(2))
	}
}

// TestSameHandle has more regions of a handle that are live than are gone through.
func TestSameHandle(t *testing.T) {
	l := NewLedger(new(Store))
	var offers []*Offer
	last := func() (last *Region, n int) {
		for r := l.Newest(1); r != nil; r = r.Older() {
			last, n = r, n+1
		}
		return last, n
	}
	for i := range maxSame {
		offers = append(offers, l.one(t, 0, uint32(i), Segment{1, 10, uint64(i) * 10}))
	}
	if r, n := last(); n != maxSame || r.More() {
		t.Errorf("%d regions, more %v", n, r.More())
	}
	offers = append(offers, l.one(t, 0, 99, Segment{1, 10, 1000}))
	if r, n := last(); n != maxSame || !r.More() || r.XID != 1 {
		t.Errorf("with one more: %d regions, more %v, the last %d", n, r.More(), r.XID)
	}
	if o, _ := l.Push(0, 1, 5, 1, []byte{1}); o != offers[0] {
		t.Error("what is cut off takes no operations, though it is live")
	}
	for _, o := range offers {
		l.Expire(o)
	}
	if _, n := last(); n != maxSame || l.live() != 0 {
		t.Errorf("retired: %d regions, %d live", n, l.live())
	}
	l.one(t, 0, 100, Segment{1, 10, 0})
	if r, n := last(); n != maxSame || r.XID != 2 || !r.More() {
		t.Errorf("one that is over was cut off: %d regions, more %v, the last %d", n, r.More(), r.XID)
	}
}

// modelGrant is a segment as the model of TestOver keeps it.
type modelGrant struct {
	handle, xid uint32
	owner       flow.End
	live, kept  bool
}

// TestOver holds what is remembered against lists, of which the oldest are forgotten.
func TestOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	l := NewLedger(new(Store))
	all := make(map[uint32][]*modelGrant) // by handle, the newest last
	var over []*modelGrant
	type call struct {
		offer *Offer
		grant *modelGrant
	}
	var open []call
	for i := range uint32(6 * maxOver) {
		// Some handles last, most come seldom again; never more than 8 are live.
		handle := rng.Uint32N(4)
		if rng.IntN(4) > 0 {
			handle = rng.Uint32N(3 * maxOver)
		}
		g := &modelGrant{handle, i, flow.End(rng.IntN(2)), true, true}
		open = append(open, call{l.one(t, g.owner, i, Segment{handle, 10, 0}), g})
		all[handle] = append(all[handle], g)
		if list := all[handle]; len(list) > maxSame {
			list[0].kept = false
			all[handle] = list[1:]
		}
		if len(open) == 8 {
			k := rng.IntN(len(open))
			x := open[k]
			open = slices.Delete(open, k, k+1)
			l.End(x.offer, Replied, flow.Ref{Number: int64(i)}, 0)
			l.Expire(x.offer)
			x.grant.live = false
			over = append(over, x.grant)
			if n := len(over) - 1 - maxOver; n >= 0 && over[n].kept {
				old := over[n]
				all[old.handle] = slices.DeleteFunc(all[old.handle], func(g *modelGrant) bool { return g == old })
			}
		}
		if i%7 > 0 {
			continue
		}
		list := all[handle]
		for r := l.Newest(handle); r != nil; r = r.Older() {
			if len(list) == 0 {
				t.Fatalf("step %d: more regions than were kept of handle %d", i, handle)
			}
			g := list[len(list)-1]
			list = list[:len(list)-1]
			if r.XID != g.xid || r.Owner != g.owner || (r.Over == Live) != g.live || r.Handle != handle {
				t.Fatalf("step %d: call %d of %d, %v, want %+v", i, r.XID, r.Owner, r.Over, g)
			}
		}
		if len(list) > 0 {
			t.Fatalf("step %d: %d regions of handle %d are missing", i, len(list), handle)
		}
	}
}

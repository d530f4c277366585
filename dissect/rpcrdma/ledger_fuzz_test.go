package rpcrdma

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A ledgerModel is what a Ledger means, byte by byte and without any speed:
// the regions that are advertised, oldest first, and which of their bytes were
// seen and what they were.
type ledgerModel struct {
	live []*modelRegion
}

type modelRegion struct {
	Segment
	offer       *Offer
	purpose     Purpose
	asked, seen []bool
	text        []byte
}

func (m *ledgerModel) find(handle uint32, offset uint64, write bool) *modelRegion {
	for i := len(m.live) - 1; i >= 0; i-- {
		r := m.live[i]
		if r.Handle == handle && (r.purpose != ForRead) == write {
			for at := range uint64(r.Length) {
				if r.Offset+at == offset {
					return r
				}
			}
		}
	}
	return nil
}

// operation does what Ask, Pull or Push does; bytes is nil for Ask.
func (m *ledgerModel) operation(handle uint32, offset uint64, length int, data []byte, write, ask bool) (o *Offer) {
	for i := 0; i < length; {
		r := m.find(handle, offset+uint64(i), write)
		if r == nil {
			return o
		}
		o = r.offer
		for at := offset + uint64(i) - r.Offset; at < uint64(r.Length) && i < length; at++ {
			if ask {
				r.asked[at] = true
			} else if i < len(data) {
				r.seen[at], r.text[at] = true, data[i]
			}
			i++
		}
	}
	return o
}

// FuzzLedger does what its input says to a Ledger and to the model: each byte
// is a choice. Handles are few and addresses near one another, so that segments
// overlap and are shared.
func FuzzLedger(f *testing.F) {
	f.Add([]byte{0, 2, 1, 9, 30, 1, 8, 20, 4, 1, 10, 25, 7, 3, 1, 12, 30, 1, 1})
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		b := make([]byte, 200)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		next := func(n int) int {
			if len(in) == 0 {
				return 0
			}
			v := int(in[0]) % n
			in = in[1:]
			return v
		}
		l, m := NewLedger(new(Store)), new(ledgerModel)
		var open []*Offer
		segment := func() Segment {
			return Segment{Handle: uint32(next(3)), Length: uint32(next(24)), Offset: uint64(next(48)) - 8}
		}
		// So few that no handle has more regions than find goes through.
		for step := 0; len(in) > 0 && step < maxSearch/10; step++ {
			switch next(5) {
			case 0:
				var reads []ReadSegment
				var writes [][]Segment
				for range next(4) {
					reads = append(reads, ReadSegment{uint32(next(2)) * 8, segment()})
				}
				for range next(3) {
					writes = append(writes, []Segment{segment(), segment()})
				}
				o := new(Offer)
				l.Advertise(o, offering(t, reads, writes, []Segment{segment(), segment()}), 0, flow.Ref{})
				open = append(open, o)
				for i := range o.Regions {
					r := &o.Regions[i]
					m.live = append(m.live, &modelRegion{r.Segment, o, r.Purpose, make([]bool, r.Length), make([]bool, r.Length), make([]byte, r.Length)})
				}
			case 1:
				if len(open) == 0 {
					continue
				}
				i := next(len(open))
				o := open[i]
				m.hold(t, o)
				open = append(open[:i], open[i+1:]...)
				l.Expire(o)
				kept := m.live[:0]
				for _, r := range m.live {
					if r.offer != o {
						kept = append(kept, r)
					}
				}
				m.live = kept
			default:
				s, kind := segment(), next(3)
				data := make([]byte, min(int(s.Length), next(32)))
				for i := range data {
					data[i] = byte(1 + step + i)
				}
				var got *Offer
				var first *Region
				switch kind {
				case 0:
					got, first = l.Ask(0, s.Handle, s.Offset, s.Length)
				case 1:
					got, first = l.Pull(0, s.Handle, s.Offset, int(s.Length), data)
				case 2:
					got, first = l.Push(0, s.Handle, s.Offset, int(s.Length), data)
				}
				if want := m.operation(s.Handle, s.Offset, int(s.Length), data, kind == 2, kind == 0); got != want {
					t.Fatalf("step %d: %+v of kind %d serves %p, want %p", step, s, kind, got, want)
				}
				if (first == nil) != (got == nil) || first != nil && !first.serves(s.Handle, s.Offset, kind == 2) {
					t.Fatalf("step %d: the first byte of %+v of kind %d is said to be in %+v", step, s, kind, first)
				}
			}
		}
		for _, o := range open {
			m.hold(t, o)
			l.Expire(o)
		}
		if l.live() != 0 || l.last != [2]*Region{} || l.store.bytes != 0 {
			t.Errorf("behind the last call: %d live regions, %d bytes", l.live(), l.store.bytes)
		}
	})
}

// hold compares an offer with what the model has of it.
func (m *ledgerModel) hold(t *testing.T, o *Offer) {
	t.Helper()
	i := 0
	var long [2]struct {
		text  []byte
		front uint64
		hole  bool
	}
	for _, want := range m.live {
		if want.offer != o {
			continue
		}
		r := &o.Regions[i]
		i++
		for at := range uint64(r.Length) {
			if r.Asked.Covers(at, at+1) != want.asked[at] || r.Seen.Covers(at, at+1) != want.seen[at] {
				t.Fatalf("byte %d of %+v: asked %v, seen %v; want %v, %v", at, r.Segment, r.Asked, r.Seen, want.asked, want.seen)
			}
		}
		which := &long[0]
		switch {
		case r.Purpose == ForReply:
			which = &long[1]
		case r.Purpose != ForRead || r.Position != 0:
			continue
		}
		which.text = append(which.text, want.text...)
		for _, seen := range want.seen {
			which.hole = which.hole || !seen
			if !which.hole {
				which.front++
			}
		}
	}
	if i != len(o.Regions) {
		t.Fatalf("%d regions, want %d", len(o.Regions), i)
	}
	for p, got := range map[Purpose][]byte{ForRead: o.LongCall, ForReply: o.LongReply} {
		want := long[min(p, 1)]
		if n := o.Front(p); n != want.front || uint64(len(got)) < n {
			t.Fatalf("purpose %d: the front is %d of %d bytes, want %d", p, n, len(got), want.front)
		}
		if string(got) != string(want.text[:len(got)]) {
			t.Fatalf("purpose %d: %x is kept, want the front of %x", p, got, want.text)
		}
	}
}

package stream_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/stream"
)

// A pair is a Stream and its model, which are told the same.
type pair struct {
	t    testing.TB
	s    stream.Stream[int]
	m    model
	base uint32 // sequence number of position 0
	log  []token
	did  int64 // bytes handed on, and of voids
}

func (r *pair) Bytes(b []byte, from *int) {
	if len(b) == 0 {
		r.t.Error("no bytes are handed on")
	}
	for _, c := range b {
		r.log = record(r.log, token{kind: 'o', byte: c, from: *from})
	}
	r.did += int64(len(b))
}

func (r *pair) Void(n uint64, snap bool, from *int) {
	k := token{kind: 'v', n: int64(n)}
	if snap {
		k.kind, k.from = 's', *from
	} else if from != nil {
		r.t.Error("a segment is named of which nothing came")
	}
	if n == 0 {
		r.t.Error("an empty void")
	}
	r.log = record(r.log, k)
	r.did += int64(n)
}

func (r *pair) End() { r.log = record(r.log, token{kind: 'e'}) }

func (r *pair) add(g *bit) stream.Place {
	seg := stream.Segment[int]{Seq: r.base + uint32(g.at), Length: g.length, Bytes: g.bytes, SYN: g.syn, FIN: g.fin, From: g.from}
	if g.syn {
		seg.Seq--
	}
	p, missing := r.s.Add(&seg, r)
	want, wantMissing := r.m.add(g)
	if p != want || missing != uint64(wantMissing) {
		r.t.Errorf("%+v at next %d: %v, %d missing; want %v, %d", *g, r.m.next, p, missing, want, wantMissing)
	}
	r.same()
	return p
}

func (r *pair) ack(at int64) {
	r.s.Acked(r.base + uint32(at))
	r.m.ack(at)
	r.same()
}

func (r *pair) skip() int64 {
	n, want := r.s.Skip(r), r.m.skip()
	if n != uint64(want) {
		r.t.Errorf("%d bytes are given up, want %d", n, want)
	}
	r.same()
	return want
}

// same holds the two against each other.
func (r *pair) same() {
	r.t.Helper()
	if len(r.log) != len(r.m.log) {
		r.t.Errorf("handed on is %v, want %v", r.log, r.m.log)
	} else {
		for i, k := range r.log {
			if k != r.m.log[i] {
				r.t.Errorf("handed on is %v, want %v", r.log, r.m.log)
				break
			}
		}
	}
	r.log, r.m.log = r.log[:0], r.m.log[:0]
	next := r.m.next
	if r.m.ended {
		next++
	}
	if r.m.begun && r.s.Next() != r.base+uint32(next) {
		r.t.Errorf("next is %d, want %d", int32(r.s.Next()-r.base), next)
	}
	end, _ := r.m.hole()
	if got := r.s.Missing(); got != uint64(end-r.m.next) {
		r.t.Errorf("the first hole is of %d bytes, want %d", got, end-r.m.next)
	}
	if got, want := r.s.Proven(), end > r.m.next && r.m.acked >= end; got != want {
		r.t.Errorf("proven is %v, want %v", got, want)
	}
	size := 0
	for _, c := range r.m.cells {
		if !c.cut {
			size++
		}
	}
	segments, got := r.s.Waiting()
	if got != size || (segments == 0) != (len(r.m.cells) == 0) || segments > len(r.m.cells) {
		r.t.Errorf("%d bytes wait in %d parts, want %d of %d", got, segments, size, len(r.m.cells))
	}
	if r.s.Begun() != r.m.begun || r.s.Ended() != r.m.ended {
		r.t.Errorf("begun %v, ended %v, want %v, %v", r.s.Begun(), r.s.Ended(), r.m.begun, r.m.ended)
	}
	if r.m.begun && r.did != r.m.next-r.m.first {
		r.t.Errorf("%d bytes were handed on, want %d", r.did, r.m.next-r.m.first)
	}
}

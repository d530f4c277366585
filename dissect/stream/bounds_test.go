package stream_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/stream"
)

// A counter is a Sink that only counts.
type counter struct {
	bytes, voids, snapped uint64
	ends                  int
}

func (c *counter) Bytes(b []byte, _ *int) { c.bytes += uint64(len(b)) }

func (c *counter) Void(n uint64, snap bool, _ *int) {
	if snap {
		c.snapped += n
	} else {
		c.voids += n
	}
}

func (c *counter) End() { c.ends++ }

// What waits stays within bounds though the caller never gives up a hole.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		name   string
		length int // of each segment
		step   int // from one to the next
		there  int // bytes captured
	}{
		{"every second byte", 1, 2, 1},
		{"every second byte, none captured", 1, 2, 0},
		{"large segments", 65160, 65161, 65160},
		{"large segments behind one hole", 65160, 65160, 65160},
		{"cut segments, each in two parts", 1460, 2000, 60},
		{"backwards", 1, -2, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s stream.Stream[int]
			var to counter
			s.Add(&stream.Segment[int]{SYN: true, Seq: 99}, &to)
			data := make([]byte, test.there)
			const n = 5000
			at := 101
			if test.step < 0 {
				at -= n * test.step
			}
			waited := 0
			for range n {
				s.Add(&stream.Segment[int]{Seq: uint32(at), Length: test.length, Bytes: data}, &to)
				at += test.step
				segments, kept := s.Waiting()
				if segments > stream.MaxSegments || kept > stream.MaxBytes {
					t.Fatalf("%d bytes wait in %d segments", kept, segments)
				}
				waited = max(waited, segments)
			}
			if waited < 2 {
				t.Errorf("never more than %d waited", waited)
			}
			for s.Skip(&to) > 0 {
			}
			if got := uint64(s.Next() - 100); got != to.bytes+to.voids+to.snapped || to.voids == 0 {
				t.Errorf("%+v is handed on, of %d bytes", to, got)
			}
			if segments, kept := s.Waiting(); segments != 0 || kept != 0 {
				t.Errorf("%d bytes in %d segments are left", kept, segments)
			}
		})
	}
}

// What is kept for use again is little, and tells nothing of what it was.
func TestFree(t *testing.T) {
	for _, length := range []int{1, 1460, 20_000, 65160} {
		var s stream.Stream[int]
		var to counter
		data := make([]byte, length)
		const n = 60
		for i := range uint32(n) {
			// The first of all comes last.
			seg := stream.Segment[int]{Seq: (i + 1) * uint32(length), Bytes: data, Length: length, From: 7}
			if i == 0 {
				s.Add(&stream.Segment[int]{Seq: 1<<32 - 1, SYN: true}, &to)
			}
			s.Add(&seg, &to)
		}
		s.Add(&stream.Segment[int]{Bytes: data, Length: length}, &to)
		if to.bytes != uint64((n+1)*length) {
			t.Errorf("%+v is handed on", to)
		}
		parts, free, froms := s.Free()
		if parts == 0 || parts > stream.MaxFree || free == 0 || free > stream.MaxFreeBytes {
			t.Errorf("%d parts of %d bytes are kept", parts, free)
		}
		for _, from := range froms {
			if from != 0 {
				t.Error("a part that is kept names a segment")
			}
		}
	}
}

// A stream goes on where its sequence numbers wrap, again and again.
func TestManyWraps(t *testing.T) {
	var s stream.Stream[int]
	var to counter
	const step = 1 << 28
	for i := range uint32(100) {
		if p, _ := s.Add(&stream.Segment[int]{Seq: i * step, Length: step}, &to); p != stream.Next {
			t.Fatalf("segment %d: %v", i, p)
		}
		if p, _ := s.Add(&stream.Segment[int]{Seq: i * step, Length: step}, &to); p != stream.Old {
			t.Fatalf("segment %d again: %v", i, p)
		}
	}
	if to.snapped != 100*step || s.Next() != 100*step%(1<<32) {
		t.Errorf("%d bytes, next is %d", to.snapped, s.Next())
	}
	// The SYN of a connection that has long moved on is of another one.
	if p, _ := s.Add(&stream.Segment[int]{Seq: 1<<32 - 1, SYN: true}, &to); p != stream.Anew {
		t.Errorf("the SYN again: %v", p)
	}
}

// Lengths that no segment has do no harm.
func TestImpossibleLengths(t *testing.T) {
	data := []byte("abc")
	for _, test := range []struct {
		length int
		want   stream.Place
		next   uint32
	}{
		{-1, stream.Empty, 7},
		{2, stream.Next, 9},        // more bytes than it has
		{1<<30 + 1, stream.Far, 7}, // longer than any window
		{1 << 30, stream.Next, 7 + 1<<30},
	} {
		var s stream.Stream[int]
		var to counter
		s.Add(&stream.Segment[int]{Seq: 6, SYN: true}, &to)
		if p, _ := s.Add(&stream.Segment[int]{Seq: 7, Length: test.length, Bytes: data}, &to); p != test.want || s.Next() != test.next {
			t.Errorf("%d bytes: %v, next is %d; want %v, %d", test.length, p, s.Next(), test.want, test.next)
		}
	}
	var s stream.Stream[int]
	if p, _ := s.Add(&stream.Segment[int]{Length: 1<<30 + 1}, new(counter)); p != stream.Far || s.Begun() {
		t.Errorf("%v, begun %v", p, s.Begun())
	}
}

// A segment names what the caller knows of it, also where only a part of it was
// handed on late.
func TestFrom(t *testing.T) {
	r := pair{t: t, base: 50}
	r.add(&bit{at: 0, bytes: []byte("ab"), length: 2, from: 1})
	r.add(&bit{at: 4, bytes: []byte("ef"), length: 8, from: 2})
	r.add(&bit{at: 7, bytes: []byte("hi"), length: 2, from: 3})
	r.add(&bit{at: 3, bytes: []byte("dxxg"), length: 9, from: 4})
	if n := len(r.m.cells); n != 9 {
		t.Errorf("%d bytes wait", n)
	}
	r.add(&bit{at: 2, bytes: []byte("c"), length: 1, from: 5})
	if r.did != 12 {
		t.Errorf("%d bytes were handed on", r.did)
	}
}

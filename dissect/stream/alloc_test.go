package stream_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/stream"
	"github.com/rdmacap/rdmacap/internal/allocs"
)

// Of segments in order nothing is copied, and nothing is allocated.
func TestInOrderAllocatesNothing(t *testing.T) {
	var s stream.Stream[int]
	to := new(counter)
	seg := &stream.Segment[int]{Bytes: make([]byte, 1460), Length: 1460}
	round := func() {
		for range 100 {
			s.Add(seg, to)
			seg.Seq += 1460
			s.Acked(seg.Seq)
		}
	}
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations in 100 segments", n)
	}
	if to.voids != 0 || to.bytes != 101*100*1460 {
		t.Errorf("%+v", *to)
	}
}

// Those that waited leave their buffers to those that will.
func TestReorderedAllocatesNothing(t *testing.T) {
	var s stream.Stream[int]
	to := new(counter)
	s.Add(&stream.Segment[int]{Seq: 1<<32 - 1, SYN: true}, to)
	seg := &stream.Segment[int]{Bytes: make([]byte, 1460), Length: 1460}
	base := uint32(0)
	add := func(at, length, there int) {
		seg.Seq, seg.Length, seg.Bytes = base+uint32(at)*100, length*100, seg.Bytes[:there*100]
		s.Add(seg, to)
	}
	round := func() {
		for range 50 {
			add(8, 2, 2)
			add(2, 5, 1) // cut: two parts
			add(4, 1, 1) // into what was cut
			add(5, 4, 4) // from there into what waits
			add(1, 1, 1)
			add(0, 1, 1)
			base += 1000
		}
	}
	round()
	if n := allocs.Per(20, round); n != 0 {
		t.Errorf("%v allocations in 300 segments", n)
	}
	if segments, _ := s.Waiting(); segments != 0 || to.voids != 0 || to.bytes+to.snapped != 22*50*1000 || to.snapped != 22*50*100 {
		t.Errorf("%+v, and %d segments wait", *to, segments)
	}
}

func BenchmarkInOrder(b *testing.B) {
	var s stream.Stream[int]
	to := new(counter)
	seg := &stream.Segment[int]{Bytes: make([]byte, 1460), Length: 1460}
	b.SetBytes(1460)
	b.ReportAllocs()
	for b.Loop() {
		s.Add(seg, to)
		seg.Seq += 1460
	}
}

// One in eight comes seven late.
func BenchmarkReordered(b *testing.B) {
	var s stream.Stream[int]
	to := new(counter)
	s.Add(&stream.Segment[int]{Seq: 1<<32 - 1, SYN: true}, to)
	seg := &stream.Segment[int]{Bytes: make([]byte, 1460), Length: 1460}
	b.SetBytes(1460)
	b.ReportAllocs()
	for i := uint32(0); b.Loop(); i++ {
		seg.Seq = (i&^7 + (i+1)&7) * 1460
		s.Add(seg, to)
	}
}

// The worst that a stranger can do: all that can wait does, and each segment
// comes before it.
func BenchmarkFull(b *testing.B) {
	var s stream.Stream[int]
	to := new(counter)
	s.Add(&stream.Segment[int]{Seq: 1<<32 - 1, SYN: true}, to)
	seg := &stream.Segment[int]{Bytes: make([]byte, 1), Length: 1}
	b.ReportAllocs()
	for b.Loop() {
		const round = 4 * stream.MaxSegments
		base := s.Next()
		for i := range uint32(round) {
			seg.Seq = base + 2*(round-i)
			s.Add(seg, to)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(4*stream.MaxSegments), "ns/segment")
}

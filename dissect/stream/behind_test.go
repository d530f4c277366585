package stream_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/stream"
)

// What waits after a place is named in its order; a segment in two parts, since
// the snap length cut it, twice.
func TestBehind(t *testing.T) {
	for _, base := range []uint32{0, 1<<32 - 10} {
		var s stream.Stream[int]
		to := new(counter)
		s.Add(&stream.Segment[int]{Seq: base - 1, SYN: true}, to)
		for i, at := range []uint32{12, 4, 8} {
			data := []byte("abc")[:3-i]
			s.Add(&stream.Segment[int]{Seq: base + at, Length: 3, Bytes: data, From: int(at)}, to)
		}
		for _, test := range []struct {
			at   uint32
			want []int
		}{
			{0, []int{4, 4, 8, 8, 12}},
			{4, []int{4, 4, 8, 8, 12}},
			{5, []int{4, 8, 8, 12}}, // the part of two bytes began before it
			{7, []int{8, 8, 12}},
			{10, []int{12}},
			{12, []int{12}},
			{13, nil},
			{1 << 31, nil},
		} {
			var got []int
			for from := range s.Behind(base + test.at) {
				got = append(got, *from)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("behind %d: %v, want %v", test.at, got, test.want)
			}
		}
		for range s.Behind(base) {
			break // as a caller may
		}
	}
}

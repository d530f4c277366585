package series

import (
	"cmp"
	"math/bits"
	"slices"
)

// firstWidth is how long a bin is at first, in nanoseconds.
const firstWidth = 1_000_000

// A binned counts in bins of time, which become wider as time goes on: when they are full, two become one.
type binned[B any] struct {
	from, width int64 // nanoseconds since 1970, and of a bin
	most        int64 // bins
	join        func(to, of *B)
	bins        []numbered[B] // those in which something was counted, in order
}

// A numbered is a bin with its place: how many of its width come before it.
type numbered[B any] struct {
	number int64
	B      B
}

// at is the bin of a time, nil for a frame without a time.
func (s *binned[B]) at(ns int64) *B {
	if ns == 0 {
		return nil
	}
	last := len(s.bins) - 1
	if last < 0 {
		s.from, s.width = ns, firstWidth
	} else if b := &s.bins[last]; ns-s.from-b.number*s.width >= 0 && ns-s.from-b.number*s.width < s.width {
		return &b.B
	}
	n := max(0, (ns-s.from)/s.width) // what is told late may come before the first
	if n >= s.most {
		times := bits.Len64(uint64(n) / uint64(s.most))
		s.narrow(times)
		n >>= times
	}
	at := len(s.bins)
	if found := false; at > 0 && s.bins[at-1].number >= n {
		at, found = slices.BinarySearchFunc(s.bins, n, func(b numbered[B], n int64) int { return cmp.Compare(b.number, n) })
		if found {
			return &s.bins[at].B
		}
	}
	s.bins = slices.Insert(s.bins, at, numbered[B]{number: n})
	return &s.bins[at].B
}

// narrow makes one bin of two, so many times.
func (s *binned[B]) narrow(times int) {
	kept := 0
	for i := range s.bins {
		b := &s.bins[i]
		if b.number >>= times; kept > 0 && s.bins[kept-1].number == b.number {
			s.join(&s.bins[kept-1].B, &b.B)
			continue
		}
		s.bins[kept] = *b
		kept++
	}
	s.bins = s.bins[:kept]
	s.width <<= times
}

// count is how many bins there are from the first to the last, with those in which nothing was counted.
func (s *binned[B]) count() int64 { return s.bins[len(s.bins)-1].number + 1 }

// values are a number of each bin, also of those in which nothing was counted.
func (s *binned[B]) values(of func(*B) int64) []int64 {
	list := slices.Repeat([]int64{of(new(B))}, int(s.count()))
	for i := range s.bins {
		list[s.bins[i].number] = of(&s.bins[i].B)
	}
	return list
}

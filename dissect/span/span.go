// Package span keeps account of which bytes of something have been seen: the
// data of an RDMA Read, the memory of a chunk's segment.
//
//	0        16       32       48       64
//	|████████|        |███     |        |     Set{{0,16},{32,38}}
//
// What is seen mostly grows at its end, so a Set is a short sorted list whose
// last span is tried first.
package span

// A Span is the half-open range [Start, End) of bytes.
type Span struct{ Start, End uint64 }

// Len is the number of bytes.
func (s Span) Len() uint64 { return s.End - s.Start }

// A Set is a sorted list of spans that neither overlap nor touch. The zero
// Set is empty. It can be truncated to [:0] and used again.
type Set []Span

// maxSpans bounds a set against input that leaves a hole after every byte.
const maxSpans = 4096

// Add puts [start, end) into the set and returns how many of its bytes were
// not there before. A set that is in maxSpans pieces takes no further one: its
// bytes stay missing.
func (s *Set) Add(start, end uint64) (added uint64) {
	if start >= end {
		return 0
	}
	set := *s
	if n := len(set); n > 0 && set[n-1].End == start {
		set[n-1].End = end
		return end - start
	} else if n == 0 || set[n-1].End < start && n < maxSpans {
		*s = append(set, Span{start, end})
		return end - start
	}
	// From first to last: the spans that overlap or touch the new one.
	first := 0
	for first < len(set) && set[first].End < start {
		first++
	}
	last, had := first, uint64(0)
	merged := Span{start, end}
	for last < len(set) && set[last].Start <= end {
		if lo, hi := max(start, set[last].Start), min(end, set[last].End); lo < hi {
			had += hi - lo
		}
		merged.Start = min(merged.Start, set[last].Start)
		merged.End = max(merged.End, set[last].End)
		last++
	}
	if first == last {
		if len(set) >= maxSpans {
			return 0
		}
		set = append(set, Span{})
		copy(set[first+1:], set[first:])
		set[first] = merged
		*s = set
		return end - start
	}
	set[first] = merged
	*s = append(set[:first+1], set[last:]...)
	return end - start - had
}

// Covers reports whether all of [start, end) is in the set.
func (s Set) Covers(start, end uint64) bool {
	if start >= end {
		return true
	}
	for _, have := range s {
		if have.Start <= start && end <= have.End {
			return true
		}
	}
	return false
}

// Len is the number of bytes in the set.
func (s Set) Len() (n uint64) {
	for _, have := range s {
		n += have.Len()
	}
	return n
}

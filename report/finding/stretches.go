package finding

import (
	"cmp"
	"slices"
)

// A Stretch is a stretch of time, in nanoseconds since 1970.
type Stretch struct{ From, To int64 }

// MostStretches is how many stretches of a finding are kept: the longest.
const MostStretches = 64

// Stretches are those of a finding, each time that it was found. Few findings have some: in a Finding, they
// take a pointer.
type Stretches struct{ list []Stretch }

// All are the stretches, in the order of their beginnings.
func (s *Stretches) All() []Stretch {
	if s == nil {
		return nil
	}
	return s.list
}

// Spans notes a stretch of time that f is about, unless there are MostStretches that are longer.
func (f *Finding) Spans(from, to int64) {
	if f.Stretches == nil {
		f.Stretches = new(Stretches)
	}
	s := f.Stretches
	if len(s.list) == MostStretches {
		least := 0
		for i, x := range s.list {
			if x.To-x.From < s.list[least].To-s.list[least].From {
				least = i
			}
		}
		if x := s.list[least]; to-from <= x.To-x.From {
			return
		}
		s.list = slices.Delete(s.list, least, least+1)
	}
	x := Stretch{from, to}
	at, _ := slices.BinarySearchFunc(s.list, x, func(a, b Stretch) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	s.list = slices.Insert(s.list, at, x)
}

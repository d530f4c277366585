package stats

import (
	"cmp"
	"slices"
)

// maxNames is how many different names a Names tells apart: more than any
// operation has in practice, and a bound on what a stranger can make of it.
const maxNames = 8

// Names counts by name: statuses, mostly. The first eight different ones have
// a count of their own.
type Names struct {
	// Total counts all, those without a count of their own too.
	Total int64

	list [maxNames]Named
	used int
}

// Named is a name and how often it came.
type Named struct {
	Name  string
	Count int64
}

// addName counts n times a name.
func (s *Names) addName(name string, n int64) {
	s.Total += n
	for i := range s.list[:s.used] {
		if s.list[i].Name == name {
			s.list[i].Count += n
			return
		}
	}
	if s.used < len(s.list) {
		s.list[s.used] = Named{name, n}
		s.used++
	}
}

func (s *Names) merge(o *Names) {
	counted := int64(0)
	for _, n := range o.list[:o.used] {
		s.addName(n.Name, n.Count)
		counted += n.Count
	}
	s.Total += o.Total - counted
}

// List is the names, the most frequent first, and how many have none of them.
func (s *Names) List() (list []Named, others int64) {
	list = slices.Clone(s.list[:s.used])
	slices.SortStableFunc(list, func(a, b Named) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	others = s.Total
	for _, n := range list {
		others -= n.Count
	}
	return list, others
}

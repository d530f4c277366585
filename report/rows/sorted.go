package rows

import (
	"bytes"
	"cmp"
	"container/heap"
	"slices"

	"github.com/rdmacap/rdmacap/report/listing"
)

// A kept row waits until all are known.
type kept struct {
	key  listing.Key
	has  bool // a key
	come int  // how many rows came before it
	text []byte
}

// rank compares rows by which of them comes first.
func (s *sorted) rank(a, b *kept) int {
	switch {
	case a.has != b.has:
		if a.has {
			return -1
		}
		return 1
	case !a.has:
		return cmp.Compare(a.come, b.come)
	}
	by := cmp.Or(cmp.Compare(a.key.Number, b.key.Number), bytes.Compare(a.key.Text, b.key.Text))
	if !s.by.Least() {
		by = -by
	}
	return cmp.Or(by, cmp.Compare(a.come, b.come))
}

// sorted keeps the rows that come first, as many as are listed: a heap of which the last of them
// is the top. It is a heap.Interface.
type sorted struct {
	by   listing.Order
	most int
	come int
	rows []kept
}

func (s *sorted) Len() int { return len(s.rows) }

func (s *sorted) Less(i, j int) bool { return s.rank(&s.rows[i], &s.rows[j]) > 0 }

func (s *sorted) Swap(i, j int) { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] }

// Push is that of heap.Interface.
func (s *sorted) Push(x any) { s.rows = append(s.rows, x.(kept)) }

// Pop is that of heap.Interface.
func (s *sorted) Pop() any {
	last := s.rows[len(s.rows)-1]
	s.rows = s.rows[:len(s.rows)-1]
	return last
}

// next is the row that the order was given. It reports whether the row is one of those that are
// listed, as far as is known.
func (s *sorted) next() (k kept, listed bool) {
	k.key, k.has = s.by.Key()
	k.come = s.come
	s.come++
	return k, len(s.rows) < s.most || s.rank(&k, &s.rows[0]) < 0
}

// addRow keeps a row with its text.
func (s *sorted) addRow(k kept, text []byte) {
	k.text, k.key.Text = bytes.Clone(text), bytes.Clone(k.key.Text)
	if len(s.rows) < s.most {
		heap.Push(s, k)
		return
	}
	s.rows[0] = k
	heap.Fix(s, 0)
}

// inOrder are the rows that are listed. Nothing is kept after that.
func (s *sorted) inOrder() []kept {
	slices.SortFunc(s.rows, func(a, b kept) int { return s.rank(&a, &b) })
	return s.rows
}

// listSorted writes the rows that were kept.
func (t *Text) listSorted() {
	if t.sorted == nil {
		return
	}
	for _, k := range t.sorted.inOrder() {
		t.B = append(t.B, k.text...)
	}
	t.sorted.rows = nil
}

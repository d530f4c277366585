package markup

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A Shelf keeps pieces of HTML as long as there is room, those of more weight
// before others.
type Shelf struct {
	Room int64
	// LeftOut counts the pieces that had no room, by their weight.
	LeftOut map[int64]int64

	used   int64
	pieces pieces
}

type piece struct {
	weight, order int64
	html          visible.HTML
}

// Add takes a piece. Order says where it stands among those that are kept.
func (s *Shelf) Add(weight, order int64, html visible.HTML) {
	heap.Push(&s.pieces, piece{weight, order, html})
	for s.used += int64(len(html)); s.used > s.Room && len(s.pieces) > 0; {
		p := heap.Pop(&s.pieces).(piece)
		s.used -= int64(len(p.html))
		s.leave(p.weight)
	}
}

// Takes reports whether a piece of that weight that comes last would probably stay:
// otherwise it need not be made. It counts as left out then.
func (s *Shelf) Takes(weight int64) bool {
	n := int64(len(s.pieces))
	if n == 0 || s.used+s.used/n <= s.Room || weight > s.pieces[0].weight {
		return true
	}
	s.leave(weight)
	return false
}

func (s *Shelf) leave(weight int64) {
	if s.LeftOut == nil {
		s.LeftOut = make(map[int64]int64)
	}
	s.LeftOut[weight]++
}

// HTML is what was kept, by order.
func (s *Shelf) HTML() []visible.HTML {
	slices.SortFunc(s.pieces, func(a, b piece) int { return cmp.Compare(a.order, b.order) })
	list := make([]visible.HTML, len(s.pieces))
	for i, p := range s.pieces {
		list[i] = p.html
	}
	return list
}

// pieces are a heap whose first is the one that would go first: the least weight,
// and of those the last.
type pieces []piece

func (p pieces) Len() int      { return len(p) }
func (p pieces) Swap(a, b int) { p[a], p[b] = p[b], p[a] }
func (p *pieces) Push(x any)   { *p = append(*p, x.(piece)) }

func (p pieces) Less(a, b int) bool {
	if p[a].weight != p[b].weight {
		return p[a].weight < p[b].weight
	}
	return p[a].order > p[b].order
}

func (p *pieces) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}

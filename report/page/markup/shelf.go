package markup

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A Shelf keeps pieces of HTML as long as there is room, those of more weight before others. A piece that has
// no room whole has it in short, as long as there is room for all in short.
type Shelf struct {
	// LeftOut counts the pieces that had no room even in short, by their weight.
	LeftOut map[int64]int64

	room, used int64
	pieces     pieces
}

// A piece of HTML, and what it is in short: "" if it is that.
type piece struct {
	weight, order int64
	html, short   visible.HTML
}

// NewShelf returns a Shelf with room for so many bytes.
func NewShelf(room int64) *Shelf { return &Shelf{room: room} }

// Fit makes the room so large. What was shortened before stays so.
func (s *Shelf) Fit(room int64) {
	s.room = room
	s.fit()
}

// Add takes a piece, and the same in short. Order says where it stands among those that are kept.
func (s *Shelf) Add(weight, order int64, html, short visible.HTML) {
	heap.Push(&s.pieces, piece{weight, order, html, short})
	s.used += int64(len(html))
	s.fit()
}

// AddShort takes a piece that is there in short only.
func (s *Shelf) AddShort(weight, order int64, short visible.HTML) { s.Add(weight, order, short, "") }

// fit shortens, and then drops, what there is no room for.
func (s *Shelf) fit() {
	for s.used > s.room && len(s.pieces) > 0 {
		p := heap.Pop(&s.pieces).(piece)
		s.used -= int64(len(p.html))
		if p.short == "" {
			if s.LeftOut == nil {
				s.LeftOut = make(map[int64]int64)
			}
			s.LeftOut[p.weight]++
			continue
		}
		p.html, p.short = p.short, ""
		s.used += int64(len(p.html))
		heap.Push(&s.pieces, p)
	}
}

// Takes reports whether a piece of that weight that comes last would probably stay whole: otherwise only what it is in
// short need be made.
func (s *Shelf) Takes(weight int64) bool {
	n := int64(len(s.pieces))
	if n == 0 || s.used+s.used/n <= s.room {
		return true
	}
	first := &s.pieces[0]
	return first.short != "" && weight > first.weight
}

// Short is how many pieces are there in short only.
func (s *Shelf) Short() (n int64) {
	for i := range s.pieces {
		if s.pieces[i].short == "" {
			n++
		}
	}
	return n
}

// HTML is what was kept, by order.
func (s *Shelf) HTML() []visible.HTML {
	sorted := slices.Clone(s.pieces)
	slices.SortFunc(sorted, func(a, b piece) int { return cmp.Compare(a.order, b.order) })
	list := make([]visible.HTML, len(sorted))
	for i, p := range sorted {
		list[i] = p.html
	}
	return list
}

// pieces are a heap whose first is the one that would go first: whole ones before those in short, of them the least
// weight, and of those the last.
type pieces []piece

func (p pieces) Len() int      { return len(p) }
func (p pieces) Swap(a, b int) { p[a], p[b] = p[b], p[a] }
func (p *pieces) Push(x any)   { *p = append(*p, x.(piece)) }

func (p pieces) Less(a, b int) bool {
	switch {
	case (p[a].short == "") != (p[b].short == ""):
		return p[a].short != ""
	case p[a].weight != p[b].weight:
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

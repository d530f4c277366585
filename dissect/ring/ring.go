// Package ring keeps the newest of many in memory that is used again.
package ring

import "iter"

// A Ring keeps the newest of many. Its memory grows by pages with what is put in, and
// is used again when it is full. The zero Ring is empty.
type Ring[T any] struct {
	pages [][]T // the first two have the first 16, the others 16 each
	n     int   // that were added
}

const (
	page = 16
	few  = 4 // in the first page: most Rings have no more
)

// Add returns the place for a new one, of at most so many that are kept: a multiple of
// 16, and the same at each call. Where the Ring is full the place has the oldest.
func (r *Ring[T]) Add(most int) *T {
	i := r.n % most
	r.n++
	if i == r.room() {
		r.grow()
	}
	return r.at(uint(i))
}

// room is how many there is a place for.
func (r *Ring[T]) room() int {
	if len(r.pages) == 1 {
		return few
	}
	return max(0, len(r.pages)-1) * page
}

func (r *Ring[T]) grow() {
	size := page
	switch len(r.pages) {
	case 0:
		r.pages, size = make([][]T, 0, 2), few
	case 1:
		size = page - few
	}
	r.pages = append(r.pages, make([]T, size))
}

// at is a place. It stays where it is.
func (r *Ring[T]) at(i uint) *T {
	switch {
	case i < few:
		return &r.pages[0][i]
	case i < page:
		return &r.pages[1][i-few]
	}
	return &r.pages[i/page+1][i%page]
}

// Added is how many were added, those that were overwritten since among them.
func (r *Ring[T]) Added() int { return r.n }

// At is the place with an index, counted from the first that Add returned, below the
// number that is kept at most. It must have been added.
func (r *Ring[T]) At(i int) *T { return r.at(uint(i)) }

// Len is how many there are.
func (r *Ring[T]) Len() int { return min(r.n, r.room()) }

// All goes over them from the oldest on.
func (r *Ring[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		size, i := uint(r.room()), uint(0)
		if uint(r.n) > size {
			i = uint(r.n) % size
		}
		for range r.Len() {
			if !yield(r.at(i)) {
				return
			}
			if i++; i == size {
				i = 0
			}
		}
	}
}

// Backward goes over them from the newest on.
func (r *Ring[T]) Backward() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		size, i := uint(r.room()), uint(r.n)
		if i > size {
			i %= size
		}
		for range r.Len() {
			if i == 0 {
				i = size
			}
			if i--; !yield(r.at(i)) {
				return
			}
		}
	}
}

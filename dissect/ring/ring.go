// Package ring keeps the newest of many in memory that is used again.
package ring

import "iter"

// A Ring keeps the newest of many. Its memory grows by pages with what is put in, and
// is used again when it is full. The zero Ring is empty.
type Ring[T any] struct {
	pages []*[page]T
	n     int // that were added
}

const page = 16

// Add returns the place for a new one, of at most so many that are kept: a multiple of
// 16, and the same at each call. Where the Ring is full the place has the oldest.
func (r *Ring[T]) Add(most int) *T {
	i := r.n % most
	r.n++
	if i/page == len(r.pages) {
		r.pages = append(r.pages, new([page]T))
	}
	return &r.pages[i/page][i%page]
}

// Added is how many were added, those that were overwritten since among them.
func (r *Ring[T]) Added() int { return r.n }

// At is the place with an index, counted from the first that Add returned, below the
// number that is kept at most. It must have been added.
func (r *Ring[T]) At(i int) *T { return &r.pages[i/page][i%page] }

// Len is how many there are.
func (r *Ring[T]) Len() int { return min(r.n, len(r.pages)*page) }

// All goes over them from the oldest on.
func (r *Ring[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		size, i := uint(len(r.pages)*page), uint(0)
		if uint(r.n) > size {
			i = uint(r.n) % size
		}
		for range r.Len() {
			if !yield(&r.pages[i/page][i%page]) {
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
		size, i := uint(len(r.pages)*page), uint(r.n)
		if i > size {
			i %= size
		}
		for range r.Len() {
			if i == 0 {
				i = size
			}
			if i--; !yield(&r.pages[i/page][i%page]) {
				return
			}
		}
	}
}

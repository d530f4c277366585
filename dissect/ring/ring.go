// Package ring keeps the newest of many in memory that is used again.
package ring

import "iter"

// A Ring keeps the newest of many. Its memory grows by pages with what is put in, and
// is used again when it is full. The zero Ring is empty.
type Ring[T any] struct {
	n int // that were added
	// The first page comes in parts, of which most Rings need one or two.
	first  *[few]T
	second *[twice - few]T
	third  *[page - twice]T
	more   []*[page]T // the other pages
}

const (
	page       = 16
	few, twice = 2, 8 // where the second and the third part of the first page begin
)

// Add returns the place for a new one, of at most so many that are kept: 8 or a multiple of
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
	switch {
	case r.third != nil:
		return (len(r.more) + 1) * page
	case r.second != nil:
		return twice
	case r.first != nil:
		return few
	}
	return 0
}

func (r *Ring[T]) grow() {
	switch {
	case r.first == nil:
		r.first = new([few]T)
	case r.second == nil:
		r.second = new([twice - few]T)
	case r.third == nil:
		r.third = new([page - twice]T)
	default:
		r.more = append(r.more, new([page]T))
	}
}

// at is a place. It stays where it is.
func (r *Ring[T]) at(i uint) *T {
	switch {
	case i < few:
		return &r.first[i]
	case i < twice:
		return &r.second[i-few]
	case i < page:
		return &r.third[i-twice]
	}
	return &r.more[i/page-1][i%page]
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

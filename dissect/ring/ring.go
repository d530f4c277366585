// Package ring keeps the newest of many in memory that is used again.
package ring

import "iter"

// A Ring keeps the newest of many. Its memory grows by pages with what is put in, and
// is used again when it is full. The zero Ring is empty.
type Ring[T any] struct {
	next, used uint16 // where the next one goes, and how many places are in use
	forgot     bool
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
// 16 below 65536, and the same at each call. Where the Ring is full the place has the oldest.
func (r *Ring[T]) Add(most int) *T {
	i := r.Next(most)
	if i < int(r.used) {
		r.forgot = true
	} else {
		if i == r.room() {
			r.grow()
		}
		r.used++
	}
	r.next = uint16(i + 1)
	return r.at(uint(i))
}

// Next is the index of the place that Add returns next.
func (r *Ring[T]) Next(most int) int {
	if i := int(r.next); i < most {
		return i
	}
	return 0
}

// Grows reports whether the next one that is added takes new memory, if fewer are there than
// are kept at most.
func (r *Ring[T]) Grows() bool { return int(r.next) == r.room() }

// StartOver has those that are added next take the places of the oldest, where the Ring would
// grow: they are not needed any more.
func (r *Ring[T]) StartOver() { r.next = 0 }

// Reset forgets all, and keeps the memory: a place that Add returns later has what was there
// before.
func (r *Ring[T]) Reset() { r.next, r.used, r.forgot = 0, 0, false }

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

// Forgot reports whether a place was used again.
func (r *Ring[T]) Forgot() bool { return r.forgot }

// At is the place with an index, as Next has it. It must have been added.
func (r *Ring[T]) At(i int) *T { return r.at(uint(i)) }

// Len is how many there are.
func (r *Ring[T]) Len() int { return int(r.used) }

// All goes over them from the oldest on.
func (r *Ring[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		size, i := uint(r.used), uint(r.next)
		for range size {
			if i == size {
				i = 0
			}
			if !yield(r.at(i)) {
				return
			}
			i++
		}
	}
}

// Backward goes over them from the newest on.
func (r *Ring[T]) Backward() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		size, i := uint(r.used), uint(r.next)
		for range size {
			if i == 0 {
				i = size
			}
			if i--; !yield(r.at(i)) {
				return
			}
		}
	}
}

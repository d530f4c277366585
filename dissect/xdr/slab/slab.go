// Package slab makes many small things of one type in few allocations: a program that
// reads one small capture has to read all texts in XDR language before.
//
//	slab  | a | b | c c c | d d |      |
//	                             ^── New, Make, Copy
//
// A slab is a slice whose items are in use up to its length. Where it is full
// another one takes its place, and the old one stays as long as its items are used. Who
// no longer needs any of them cuts it to the length 0.
package slab

// New is a new item, which is zero.
func New[T any](slab *[]T) *T { return &Make(slab, 1)[0] }

// Make is n new items in a row, which are zero. They are full: who appends to them
// makes another slice.
func Make[T any](slab *[]T, n int) []T {
	const least = 64
	if cap(*slab)-len(*slab) < n {
		*slab = make([]T, 0, max(least, n))
	}
	start := len(*slab)
	*slab = (*slab)[:start+n]
	items := (*slab)[start:len(*slab):len(*slab)]
	clear(items)
	return items
}

// Copy is a copy of items.
func Copy[T any](slab *[]T, items []T) []T {
	to := Make(slab, len(items))
	copy(to, items)
	return to
}

// Package list is a doubly linked list whose elements stand in the values themselves.
package list

// A List is a doubly linked list of values that hold their elements themselves, so
// that putting one at the end and taking any out costs the same however many there
// are. Its zero value is empty.
type List[T any] struct {
	first, last *Element[T]
	N           int // how many values are in it
}

// An Element is a value's place in a list. Its zero value is in none.
type Element[T any] struct {
	before, behind *Element[T]
	Value          *T // nil while it is in no list
}

// Push puts a value, which is in no such list, at the end.
func (l *List[T]) Push(e *Element[T], value *T) {
	e.Value, e.before = value, l.last
	if l.last != nil {
		l.last.behind = e
	} else {
		l.first = e
	}
	l.last = e
	l.N++
}

// Remove takes an element out, if it is in.
func (l *List[T]) Remove(e *Element[T]) {
	if e.Value == nil {
		return
	}
	if e.before != nil {
		e.before.behind = e.behind
	} else {
		l.first = e.behind
	}
	if e.behind != nil {
		e.behind.before = e.before
	} else {
		l.last = e.before
	}
	*e = Element[T]{}
	l.N--
}

// Oldest is the value that was put in before all others, nil if there is none.
func (l *List[T]) Oldest() *T {
	if l.first == nil {
		return nil
	}
	return l.first.Value
}

// Values goes through all, the oldest first. None may be taken out meanwhile.
func (l *List[T]) Values(yield func(*T) bool) {
	for e := l.first; e != nil; e = e.behind {
		if !yield(e.Value) {
			return
		}
	}
}

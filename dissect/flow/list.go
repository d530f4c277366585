package flow

// A list is a doubly linked list of values that hold their elements themselves, so
// that putting one at the end and taking any out costs the same however many there
// are. Its zero value is empty.
type list[T any] struct {
	first, last *element[T]
	n           int
}

// An element is a value's place in a list. Its zero value is in none.
type element[T any] struct {
	before, behind *element[T]
	value          *T // nil while it is in no list
}

// push puts a value, which is in no such list, at the end.
func (l *list[T]) push(e *element[T], value *T) {
	e.value, e.before = value, l.last
	if l.last != nil {
		l.last.behind = e
	} else {
		l.first = e
	}
	l.last = e
	l.n++
}

// remove takes an element out, if it is in.
func (l *list[T]) remove(e *element[T]) {
	if e.value == nil {
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
	*e = element[T]{}
	l.n--
}

// oldest is the value that was put in before all others, nil if there is none.
func (l *list[T]) oldest() *T {
	if l.first == nil {
		return nil
	}
	return l.first.value
}

// values goes through all, the oldest first. None may be taken out meanwhile.
func (l *list[T]) values(yield func(*T) bool) {
	for e := l.first; e != nil; e = e.behind {
		if !yield(e.value) {
			return
		}
	}
}

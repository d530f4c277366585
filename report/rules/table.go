package rules

import "slices"

// A table has the hooks of one event, each of which wants to see some classes of it.
// Which hooks a class has is worked out when it first comes: there are few, and
// nearly all events are of two or three.
type table[T any] struct {
	hooks   []hook[T]
	classes []Class
	rows    [][]func(T) // of classes, in the order of hooks
	next    int         // the row that is given up for another class
}

// A hook is called for what has one of the bits.
type hook[T any] struct {
	of Class
	do func(T)
}

// mostRows is how many classes of an event are remembered at a time.
const mostRows = 24

// plain is the bit that every event has, and all those that no class of a hook names.
const plain Class = 1 << 31

// add has a hook called for what has one of the bits of a class, or if that is 0, for all.
func (t *table[T]) add(of Class, do func(T)) {
	if do == nil {
		return
	}
	if of == 0 {
		of = plain
	}
	t.hooks = append(t.hooks, hook[T]{of, do})
	t.classes, t.rows = t.classes[:0], t.rows[:0]
}

// tell calls the hooks that want to see an event of a class.
func (t *table[T]) tell(of Class, x T) {
	for _, do := range t.row(of) {
		do(x)
	}
}

// row are the hooks for a class.
func (t *table[T]) row(of Class) []func(T) {
	for i, c := range t.classes {
		if c == of {
			return t.rows[i]
		}
	}
	return t.fill(of)
}

func (t *table[T]) fill(of Class) (row []func(T)) {
	n := 0
	for i := range t.hooks {
		if t.hooks[i].of&(of|plain) != 0 {
			n++
		}
	}
	row = make([]func(T), 0, n)
	for i := range t.hooks {
		if t.hooks[i].of&(of|plain) != 0 {
			row = append(row, t.hooks[i].do)
		}
	}
	if len(t.rows) < mostRows {
		t.classes, t.rows = append(t.classes, of), append(t.rows, row)
		return row
	}
	t.classes[t.next], t.rows[t.next] = of, row
	t.next = (t.next + 1) % mostRows
	return row
}

// room makes place for so many hooks.
func (t *table[T]) room(n int) { t.hooks = slices.Grow(t.hooks, n) }

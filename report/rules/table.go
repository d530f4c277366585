package rules

import "slices"

// A table has the hooks of one event, each of which wants to see some classes of it.
// Which hooks a class has is worked out when it first comes: there are few, and
// nearly all events are of two or three.
type table[T any] struct {
	hooks []hook[T]
	asked Class // the bits that any of them asks for: no other matters
	rows  []row[T]
	next  int // the row that is given up for another class
}

// A row are the hooks for a class, in their order.
type row[T any] struct {
	class Class
	hooks []func(T)
}

// A hook is called for what has one of the bits.
type hook[T any] struct {
	of   Class
	do   func(T)
	done *bool // Hooks.Done
}

// wants reports whether the hook wants to see a class.
func (h *hook[T]) wants(of Class) bool { return h.of&(of|plain) != 0 && (h.done == nil || !*h.done) }

// mostRows is how many classes of an event are remembered at a time.
const mostRows = 24

// plain is the bit that every event has, and all those that no class of a hook names.
const plain Class = 1 << 31

// add has a hook called for what has one of the bits of a class, or if that is 0, for all.
func (t *table[T]) add(of Class, do func(T), done *bool) {
	if do == nil {
		return
	}
	if of == 0 {
		of = plain
	}
	t.hooks = append(t.hooks, hook[T]{of, do, done})
	t.asked |= of
	t.reset()
}

// reset has the rows worked out anew.
func (t *table[T]) reset() { t.rows = t.rows[:0] }

// tell calls the hooks that want to see an event of a class.
func (t *table[T]) tell(of Class, x T) {
	of &= t.asked
	for i := range t.rows {
		if r := &t.rows[i]; r.class == of {
			for _, do := range r.hooks {
				do(x)
			}
			return
		}
	}
	for _, do := range t.fill(of) {
		do(x)
	}
}

// fill works out the row of a class.
func (t *table[T]) fill(of Class) (list []func(T)) {
	n := 0
	for i := range t.hooks {
		if t.hooks[i].wants(of) {
			n++
		}
	}
	list = make([]func(T), 0, n)
	for i := range t.hooks {
		if t.hooks[i].wants(of) {
			list = append(list, t.hooks[i].do)
		}
	}
	if len(t.rows) < mostRows {
		t.rows = append(t.rows, row[T]{of, list})
		return list
	}
	t.rows[t.next] = row[T]{of, list}
	t.next = (t.next + 1) % mostRows
	return list
}

// room makes place for so many hooks.
func (t *table[T]) room(n int) { t.hooks = slices.Grow(t.hooks, n) }

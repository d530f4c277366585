package rules

import "slices"

// A table has the hooks of one event, each of which wants to see some classes of it.
// Which hooks a class has is worked out when it first comes: there are few, and
// nearly all events are of two or three.
type table[T any] struct {
	hooks []hook[T]
	asked Class // the bits that any of them asks for: no other matters
	rows  []row
	// calls has the hooks of the rows.
	calls []func(T)
}

// A row says which of the calls are the hooks for a class, in their order.
type row struct {
	class      Class
	begin, end uint32
}

// A hook is called for what has one of the bits.
type hook[T any] struct {
	of   Class
	turn int32
	do   func(T)
	done *bool // Hooks.Done
}

// wants reports whether the hook wants to see a class.
func (h *hook[T]) wants(of Class) bool { return h.of&(of|plain) != 0 && (h.done == nil || !*h.done) }

// mostRows is how many classes of an event are remembered at a time.
const mostRows = 24

// plain is the bit that every event has, and all those that no class of a hook names.
const plain Class = 1 << 31

// add has a hook called for what has one of the bits of a class, or if that is 0, for
// all, behind those whose turn is before it.
func (t *table[T]) add(turn int, of Class, do func(T), done *bool) {
	if do == nil {
		return
	}
	if of == 0 {
		of = plain
	}
	i := len(t.hooks)
	for i > 0 && t.hooks[i-1].turn > int32(turn) {
		i--
	}
	t.hooks = slices.Insert(t.hooks, i, hook[T]{of, int32(turn), do, done})
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
			for _, do := range t.calls[r.begin:r.end] {
				do(x)
			}
			return
		}
	}
	for _, do := range t.fill(of) {
		do(x)
	}
}

// fill works out the row of a class. When there are too many, all are worked out anew.
func (t *table[T]) fill(of Class) []func(T) {
	if len(t.rows) == 0 || len(t.rows) == mostRows {
		// What is being called keeps the calls that it has.
		const few = 8 // as many classes as most connections have
		t.rows, t.calls = slices.Grow(t.rows[:0], few), make([]func(T), 0, 2*len(t.hooks))
	}
	begin := len(t.calls)
	for i := range t.hooks {
		if t.hooks[i].wants(of) {
			t.calls = append(t.calls, t.hooks[i].do)
		}
	}
	t.rows = append(t.rows, row{of, uint32(begin), uint32(len(t.calls))})
	return t.calls[begin:]
}

// room makes place for so many hooks.
func (t *table[T]) room(n int) { t.hooks = slices.Grow(t.hooks, n) }

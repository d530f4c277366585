package rules

import "slices"

// A hooks table has the hooks of one event, each of which wants to see some classes of it,
// among the steps of rules that declare what they look at. Which hooks a class has is
// worked out when it first comes: there are few, and nearly all events are of two or three.
type hooked[T any] struct {
	hooks []hook[T]
	asked Class // the bits that any of them asks for: no other matters
	rows  []row
	// calls has the hooks of the rows.
	calls []mixedCall[T]
}

// A mixedCall is a hook of a connection or, if that is nil, what a rule declares.
type mixedCall[T any] struct {
	hook func(T)
	call[*Conn, T]
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
	do   mixedCall[T]
	done *bool // Hooks.Done
}

// wants reports whether the hook wants to see a class.
func (h *hook[T]) wants(of Class) bool { return h.of&(of|plain) != 0 && (h.done == nil || !*h.done) }

// mostRows is how many classes of an event are remembered at a time.
const mostRows = 24

// add has a hook called for what has one of the bits of a class, or if that is 0, for
// all, behind those whose turn is before it.
func (t *hooked[T]) add(turn int, of Class, do func(T), done *bool) {
	if do != nil {
		t.insert(turn, of, mixedCall[T]{hook: do}, done)
	}
}

// steps adds those steps of a table that look at a connection once it speaks a protocol,
// and did not before.
func (t *hooked[T]) steps(from *table[*Conn, T], after, to int) {
	for i := range from.steps {
		if s := &from.steps[i]; int(s.speaks) > after && int(s.speaks) <= to {
			t.insert(int(s.turn), s.need, mixedCall[T]{call: call[*Conn, T]{s.rule, s.do}}, nil)
		}
	}
}

func (t *hooked[T]) insert(turn int, of Class, do mixedCall[T], done *bool) {
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
func (t *hooked[T]) reset() { t.rows = t.rows[:0] }

// tell calls the hooks that want to see an event of a class.
func (t *hooked[T]) tell(c *Conn, of Class, x T) {
	of &= t.asked
	for i := range t.rows {
		if r := &t.rows[i]; r.class == of {
			tellAll(c, t.calls[r.begin:r.end], x)
			return
		}
	}
	tellAll(c, t.fill(of), x)
}

func tellAll[T any](c *Conn, calls []mixedCall[T], x T) {
	for i := range calls {
		if do := &calls[i]; do.hook != nil {
			do.hook(x)
		} else {
			do.do(c, x, Say{c: c, k: c.Capture, rule: do.rule})
		}
	}
}

// fill works out the row of a class. When there are too many, all are worked out anew.
func (t *hooked[T]) fill(of Class) []mixedCall[T] {
	if len(t.rows) == 0 || len(t.rows) == mostRows {
		// What is being called keeps the calls that it has.
		const few = 8 // as many classes as most connections have
		t.rows, t.calls = slices.Grow(t.rows[:0], few), make([]mixedCall[T], 0, 2*len(t.hooks))
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
func (t *hooked[T]) room(n int) { t.hooks = slices.Grow(t.hooks, n) }

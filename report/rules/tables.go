package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
)

// tables are what the rules look at on a connection, by event. They are made once, and
// connections of one Protocol share them.
type tables struct {
	begin      table[*Conn, nothing]
	setUp      table[*Conn, nothing]
	frame      table[*Conn, *dissect.FrameView]
	message    table[*Conn, *dissect.Message]
	access     table[*Conn, *dissect.Access]
	rpc        table[*Conn, *dissect.RPC]
	checkedRPC table[*Conn, *dissect.RPC]
	tick       table[*Conn, int64]
	end        table[*Conn, nothing]
	derived    []any // a *table[*Conn, *T] for each T that is Raised
}

// A place is where a step of a rule stands among all: it is taken into a table after
// those that are there.
type place struct {
	speaks      Protocol
	rule        *Rule          // nil for a Knowledge,
	keeping     Keeping        // which this names
	all         bool           // whatever its need is, it is called for everything
	limitations *limitationLog // nil if nobody wants to know what is asked
}

// A table has the steps of one event for O, a connection or the capture, each of which
// needs some classes of it. Which steps a class has is worked out when it first comes:
// there are few, and nearly all events are of two or three.
type table[O, T any] struct {
	steps []step[O, T]
	asked Class // the bits that any of them needs, plain among them: no other matters
	// classes are those that came so far; rows has the steps of each.
	classes []Class
	rows    [][]call[O, T]
	// near are rows by a few bits of their class: the one of them that came last.
	near [16]near[O, T]
}

// A near row is found at once.
type near[O, T any] struct {
	of  Class // with no bit set there is no step
	row []call[O, T]
}

// A step is called for what has one of the bits of its need.
type step[O, T any] struct {
	place
	need Class
	do   func(O, T, Reporter)
}

// A call is what is left of a step in a row.
type call[O, T any] struct {
	rule *Rule
	do   func(O, T, Reporter)
}

// mostClasses is how many classes of an event are remembered at a time.
const mostClasses = 64

// plain is the bit that every event has. A step that is called for all needs it.
const plain Class = 1 << 31

func (t *table[O, T]) addStep(at place, need Class, do func(O, T, Reporter)) {
	if need == 0 || at.all {
		need = plain
	}
	t.steps = append(t.steps, step[O, T]{at, need, noted(at, do)})
	t.asked |= need
}

// needs reports whether any step needs to see an event of a class.
func (t *table[O, T]) needs(of Class) bool { return (of|plain)&t.asked != 0 }

// emit calls the steps that need to see an event of a class, which say what they find
// by it.
func (t *table[O, T]) emit(o O, by *reportState, of Class, x T) {
	of = (of | plain) & t.asked
	n := t.nearest(of)
	if n.of != of {
		n.of, n.row = of, t.callsOf(of)
	}
	row := n.row // what is told meanwhile may put another there
	for i := range row {
		s := &row[i]
		s.do(o, x, Reporter{state: by, rule: s.rule})
	}
}

// since calls the steps of the rules that look at a connection now that it speaks more
// than after, -1 for all of them.
func (t *table[O, T]) since(after int, o O, by *reportState, x T) {
	for i := range t.steps {
		if s := &t.steps[i]; int(s.speaks) > after {
			s.do(o, x, Reporter{state: by, rule: s.rule})
		}
	}
}

// nearest is where the row of a class is, if it came last.
func (t *table[O, T]) nearest(of Class) *near[O, T] {
	const spread = 0x9E3779B1 // its upper bits depend on all bits of the class
	return &t.near[uint32(of)*spread>>28]
}

// callsOf has the steps of a class that did not come last.
func (t *table[O, T]) callsOf(of Class) []call[O, T] {
	if i := slices.Index(t.classes, of); i >= 0 {
		return t.rows[i]
	}
	return t.fill(of)
}

// fill works out the row of a class. When there are too many, all are worked out anew.
func (t *table[O, T]) fill(of Class) []call[O, T] {
	if len(t.classes) == mostClasses {
		t.classes, t.rows = t.classes[:0], t.rows[:0]
	}
	var row []call[O, T]
	for i := range t.steps {
		if s := &t.steps[i]; s.need&of != 0 {
			row = append(row, call[O, T]{s.rule, s.do})
		}
	}
	t.classes, t.rows = append(t.classes, of), append(t.rows, row)
	return row
}

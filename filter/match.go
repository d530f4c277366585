package filter

import "net/netip"

// A Filter is a compiled expression. It is for one goroutine at a time: what a
// match needs to remember is in it, so that nothing is allocated.
type Filter struct {
	expr   string
	root   node
	fields []int
	values Values
}

// Match reports whether the record is what the expression asks for. It asks the
// record for a field each time that the expression names it, left to right, and
// only until the answer is certain.
func (f *Filter) Match(r Record) bool { return f.eval(&f.root, r) }

// Fields are the indexes in the Set of the fields that the expression names,
// ascending. They must not be changed.
func (f *Filter) Fields() []int { return f.fields }

// String is the expression as it was written.
func (f *Filter) String() string { return f.expr }

// A node is a part of an expression.
type node struct {
	join  join
	parts []node // of and, or; the one of not
	test  *test  // of a leaf
}

// A join is how the parts of a node make its answer.
type join uint8

const (
	joinAnd join = iota // true if it has no parts
	joinOr
	joinNot
	leaf
)

// eval goes as deep as the expression's nesting, which the parser bounds.
func (f *Filter) eval(n *node, r Record) bool {
	switch n.join {
	case leaf:
		t := n.test
		v := &f.values
		v.test, v.takes, v.state = t, t.takes, 0
		r.Values(t.field, v)
		return t.accept.has(v.state)
	case joinNot:
		return !f.eval(&n.parts[0], r)
	case joinOr:
		for i := range n.parts {
			if f.eval(&n.parts[i], r) {
				return true
			}
		}
		return false
	}
	for i := range n.parts {
		if !f.eval(&n.parts[i], r) {
			return false
		}
	}
	return true
}

// A test is what is asked of one field. Which of numbers, addresses and text is
// in use depends on the class; with none, no value passes.
type test struct {
	field     int
	takes     Kind // the field's class
	accept    states
	final     states
	numbers   []span[uint64]
	addresses []span[netip.Addr]
	text      text
}

// hasNumber reports whether the key passes.
func (t *test) hasNumber(key uint64) bool {
	if len(t.numbers) == 1 { // most comparisons are one span
		return t.numbers[0].lo <= key && key <= t.numbers[0].hi
	}
	return has(t.numbers, key, compareNumbers)
}

func (t *test) hasAddress(a netip.Addr) bool {
	if len(t.addresses) == 1 {
		return t.addresses[0].lo.Compare(a) <= 0 && a.Compare(t.addresses[0].hi) <= 0
	}
	return has(t.addresses, a, compareAddresses)
}

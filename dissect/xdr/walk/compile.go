package walk

import (
	"math"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// A compiler makes the blocks of a plan.
type compiler struct {
	plan *Plan
	// bare says that the blocks tell nothing, and only find where a value ends.
	bare bool
	// types are the marks that stand wherever a value of the type does.
	types map[*types.Type]*trie
	// summaries are the marks of the types' summaries.
	summaries map[*types.Template]*trie
	memo      map[memo]*block
	free      [][]step // slices to build blocks in
	arms      map[memo]*arms
	inside    map[*types.Type]bool // whether marks of types stand in a type
}

// A memo is what a block depends on.
type memo struct {
	t     *types.Type
	marks string
	role  role
	field int32
}

// role is the part that a value plays.
type role uint8

const (
	inner             role = iota
	arguments              // a procedure's arguments
	result                 // a procedure's result
	argumentOperation      // the union that is an operation with its arguments
	resultOperation        // the union that is an operation with its result
	operationArgument      // the arguments of an operation
	operationResult        // the result of an operation
	attribute              // the union of attributes, which a bitmap selects
	entry                  // an element of a linked list: without the last field
)

// answers reports whether the value is a result, which a status may begin.
func (r role) answers() bool { return r == result || r == operationResult }

// whole reports whether the value is all that a procedure takes or returns.
func (r role) whole() bool { return r == arguments || r == result }

// operation is the role of operations in arguments or a result.
func (r role) operation() role {
	if r == arguments {
		return argumentOperation
	}
	return resultOperation
}

func (c *compiler) route(proc *types.Procedure, t *types.Type, isResult bool) *Route {
	as := arguments
	if isResult {
		as = result
	}
	b := c.block(t, c.summary(t), as, -1)
	return &Route{Type: t, Procedure: proc, IsResult: isResult, Plan: c.plan, block: b}
}

// newCompiler returns one for a plan; of a bare one see compiler.
func newCompiler(p *Plan, bare bool) compiler {
	return compiler{plan: p, bare: bare, types: make(map[*types.Type]*trie), memo: make(map[memo]*block), arms: make(map[memo]*arms), inside: make(map[*types.Type]bool)}
}

// summary is the set of the marks in a type's summary.
func (c *compiler) summary(t *types.Type) *trie {
	if t.Summary == nil {
		return nil
	}
	set, known := c.summaries[t.Summary]
	if !known {
		set = new(trie)
		for i := range t.Summary.Parts {
			switch p := &t.Summary.Parts[i]; p.Kind {
			case types.ValueOf, types.IfSet, types.IfNotSet:
				set.addPath(c.plan.Marks[p.Mark].Steps, p.Mark)
			}
		}
		if c.summaries == nil {
			c.summaries = make(map[*types.Template]*trie)
		}
		if set.name() == "" {
			set = nil
		}
		c.summaries[t.Summary] = set
	}
	return set
}

// block makes the block of a type, or finds the one that was made before.
func (c *compiler) block(t *types.Type, marks *trie, as role, field int32) *block {
	marks = c.all(t, marks)
	if len(t.Fields) > 0 {
		field = -1
	}
	key := memo{t, marks.name(), as, field}
	if b := c.memo[key]; b != nil {
		return b
	}
	b := new(block)
	c.memo[key] = b
	return c.build(b, func(b *block) { c.value(b, t, marks, as, field) })
}

// build makes the steps of a block: in a slice that is used again, as nobody
// knows how many there will be.
func (c *compiler) build(b *block, f func(b *block)) *block {
	if n := len(c.free); n > 0 {
		b.steps, c.free = c.free[n-1], c.free[:n-1]
	}
	f(b)
	steps := b.steps
	b.steps, b.whole = slices.Clone(steps), true
	clear(steps)
	c.free = append(c.free, steps[:0])
	return b
}

// all are the marks of a value: those on the way to it, and those that stand
// wherever its type does.
func (c *compiler) all(t *types.Type, marks *trie) *trie { return join(marks, c.types[t.Root()]) }

// skip adds n bytes to pass over.
func (b *block) skip(n uint64) {
	n = min(n, math.MaxInt32) // more than any message has
	if k := len(b.steps); k > 0 && b.steps[k-1].op == opSkip {
		b.steps[k-1].n = min(b.steps[k-1].n+n, math.MaxInt32)
	} else if n > 0 {
		b.steps = append(b.steps, step{op: opSkip, n: n, mark: -1, field: -1})
	}
}

// addStep adds a step that reports to marks.
func (b *block) addStep(s step, marks []int32) {
	s.mark = -1
	if len(marks) > 0 {
		s.mark, s.also = marks[0], marks[1:]
	}
	b.steps = append(b.steps, s)
}

// value adds the steps over a value; marks has those of its type.
func (c *compiler) value(b *block, t *types.Type, marks *trie, as role, field int32) {
	here := marks.here()
	if t.Fixed && marks == nil && as == inner && !c.marked(t) {
		b.skip(t.Min)
		return
	}
	switch t.Kind {
	case types.Void:
	case types.Int, types.UnsignedInt, types.Float, types.Enum:
		s := step{op: opWord, signed: t.Kind == types.Int || t.Kind == types.Enum, field: field}
		if f := c.plan.Spec.StatusAlone(t); f != nil && as.answers() {
			// The whole result is a status, as in NFS version 2.
			s.status, s.ok = f.StatusOf(true)
			s.field = f.Index
		}
		b.addStep(s, here)
	case types.Hyper, types.UnsignedHyper, types.Double:
		b.addStep(step{op: opHyper, field: field}, here)
	case types.Bool:
		b.addStep(step{op: opBool, field: field}, here)
	case types.Quadruple:
		b.addStep(step{op: opFixed, n: 16, field: field}, here)
	case types.FixedOpaque:
		b.addStep(step{op: opFixed, n: uint64(t.Limit), field: field}, here)
	case types.Opaque, types.String:
		b.addStep(step{op: opOpaque, n: t.Most(), field: field}, here)
	case types.FixedArray, types.Array, types.Optional:
		c.elements(b, t, marks, as, field)
	case types.Struct:
		c.structure(b, t, marks, as)
	case types.Union:
		c.union(b, t, marks, as)
	}
}

// marked reports whether marks of types stand somewhere in a type of fixed size.
func (c *compiler) marked(t *types.Type) bool {
	if len(c.types) == 0 {
		return false
	}
	m, known := c.inside[t]
	if known {
		return m
	}
	m = c.types[t.Root()] != nil || t.Kind == types.FixedArray && c.marked(t.Elem)
	for i := range t.Fields {
		m = m || c.marked(t.Fields[i].Type)
	}
	c.inside[t] = m
	return m
}

// elements adds the steps over an array or optional data.
func (c *compiler) elements(b *block, t *types.Type, marks *trie, as role, field int32) {
	here := marks.here()
	// A mark on the whole is not one on each element, those deeper are.
	deeper := marks.inner()
	each := int(min(t.Elem.Min, math.MaxInt32))
	plain := t.Elem.Fixed && deeper == nil && !c.marked(t.Elem)
	switch {
	case t.Kind == types.FixedArray && plain:
		b.addStep(step{op: opFixed, n: min(t.Min, math.MaxInt32), field: field}, here)
	case t.Kind == types.FixedArray:
		b.addStep(step{op: opLoop, n: uint64(t.Limit), field: field, sub: c.block(t.Elem, deeper, inner, field)}, here)
	case t.Kind == types.Array && plain:
		b.addStep(step{op: opRun, n: t.Most(), each: each, field: field}, here)
	case t.Kind == types.Array:
		s := step{op: opArray, n: t.Most(), each: each, field: field}
		elements := inner
		// The struct of the arguments or result hands its role on to an
		// array of operations in it.
		if as.whole() && t.IsOperations() {
			s.operations, elements = true, as.operation()
		}
		s.sub = c.block(t.Elem, deeper, elements, field)
		b.addStep(s, here)
	case t.IsList():
		b.addStep(step{op: opList, field: field, sub: c.block(t.Elem, deeper, entry, field)}, here)
	case t.Elem.IsLeaf():
		// A mark on an optional number is one on the number.
		b.addStep(step{op: opOptional, field: field, sub: c.block(t.Elem, marks, inner, field)}, nil)
	default:
		b.addStep(step{op: opOptional, field: field, sub: c.block(t.Elem, deeper, inner, field)}, here)
	}
}

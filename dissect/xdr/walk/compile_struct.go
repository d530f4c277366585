package walk

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// maxInline is how many steps of a struct within another one are repeated
// there, in place of a call.
const maxInline = 8

func (c *compiler) structure(b *block, t *types.Type, marks *trie, as role) {
	if here := marks.here(); len(here) > 0 {
		b.addStep(step{op: opPeek, n: min(t.Min, math.MaxInt32), field: -1}, here)
	}
	fields := t.Fields
	if as == entry {
		fields, as = fields[:len(fields)-1], inner
	}
	var keep map[int]bool
	if !c.bare {
		keep = selectors(t)
	}
	for i := range fields {
		f := &fields[i]
		below := c.all(f.Type, marks.below(i))
		index := f.Index
		role := inner
		if f.Type.IsOperations() {
			role = as // hands it on
		}
		before := len(b.steps)
		status, ok := f.StatusOf(as.answers() && i == 0)
		switch {
		case status || keep[i] && f.Type.IsWord():
			b.addStep(step{op: opWord, signed: f.Type.Kind == types.Enum || f.Type.Kind == types.Int, field: index, status: status, ok: ok}, below.here())
			if f.Type.Kind == types.Bool {
				b.steps[before].op = opBool
			}
		case f.Type.Kind == types.Struct && (!f.Type.Fixed || below != nil || c.marked(f.Type)):
			c.inline(b, f.Type, marks.below(i))
		default:
			c.value(b, f.Type, below, role, index)
		}
		if keep[i] && len(b.steps) > before {
			b.steps[len(b.steps)-1].keep = true
			b.framed = true
		}
		if f.Type.Kind == types.Opaque || f.Type.Kind == types.String {
			c.opaque(&b.steps[len(b.steps)-1], f, below)
		}
	}
}

// selectors says which fields of a struct select the content of another.
func selectors(t *types.Type) map[int]bool {
	var keep map[int]bool
	for i := range t.Fields {
		if content := t.Fields[i].Content; content != nil && content.By >= 0 {
			if keep == nil {
				keep = make(map[int]bool)
			}
			keep[content.By] = true
		}
	}
	return keep
}

// inline adds the steps of a struct within another, or a call of them.
func (c *compiler) inline(b *block, t *types.Type, marks *trie) {
	sub := c.block(t, marks, inner, -1)
	if !sub.whole || sub.framed || len(sub.steps) > maxInline {
		b.steps = append(b.steps, step{op: opCall, mark: -1, field: -1, sub: sub})
		return
	}
	for _, s := range sub.steps {
		if s.op == opSkip {
			b.skip(s.n)
		} else {
			b.steps = append(b.steps, s)
		}
	}
}

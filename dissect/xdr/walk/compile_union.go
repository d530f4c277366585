package walk

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// opaque says in a step what is known of the field's bytes.
func (c *compiler) opaque(s *step, f *types.Field, marks *trie) {
	s.eligible = f.Eligible
	if f.Content == nil || c.bare {
		return
	}
	of := f.Content.Type
	deeper := marks.inner()
	s.content = &contentPlan{bits: f.Content.Attributes}
	if f.Content.By < 0 {
		s.content.sub = c.block(of, deeper, inner, -1)
	} else {
		as := inner
		if f.Content.Attributes {
			as = attribute
		}
		s.content.arms = c.cases(of, c.all(of, deeper), as)
	}
}

func (c *compiler) union(b *block, t *types.Type, marks *trie, as role) {
	d := &t.Fields[0]
	status, ok := d.StatusOf(as.answers())
	b.addStep(step{
		op: opUnion, signed: d.Type.Kind == types.Enum || d.Type.Kind == types.Int, status: status, ok: ok,
		field: d.Index, arms: c.cases(t, marks, as),
	}, c.all(d.Type, marks.below(0)).here())
}

// arms makes the table of a union's arms.
func (c *compiler) cases(t *types.Type, marks *trie, as role) *arms {
	key := memo{t, marks.name(), as, -1}
	if a := c.arms[key]; a != nil {
		return a
	}
	a := &arms{other: -1, boolean: t.Fields[0].Type.Kind == types.Bool, to: make([]armPlan, 0, len(t.Fields)-1)}
	c.arms[key] = a
	// The arms of an operation are arguments or a result in their turn, with
	// a summary of their own.
	role := inner
	switch as {
	case argumentOperation:
		role = operationArgument
	case resultOperation:
		role = operationResult
	}
	for i := range t.Fields[1:] {
		f := &t.Fields[1+i]
		below := c.all(f.Type, marks.below(1+i))
		if role != inner {
			below = join(below, c.summary(f.Type))
		}
		if f.Type.Fixed && below == nil && role == inner && !c.marked(f.Type) && f.Type.Min <= math.MaxInt32 {
			a.to = append(a.to, armPlan{n: int(f.Type.Min)})
			continue
		}
		var sub *block
		if len(f.Type.Fields) > 0 {
			sub = c.block(f.Type, below, role, -1)
		} else {
			sub = c.build(new(block), func(b *block) {
				index := int32(-1)
				if f.Name != "" {
					index = f.Index
				}
				c.value(b, f.Type, below, role, index)
				if f.Type.Kind == types.Opaque || f.Type.Kind == types.String {
					c.opaque(&b.steps[0], f, below)
				}
			})
		}
		a.to = append(a.to, armPlan{sub: sub})
		// A skip alone needs no block.
		if sub.whole && len(sub.steps) == 0 {
			a.to[i].sub = nil
		} else if sub.whole && len(sub.steps) == 1 && sub.steps[0].op == opSkip && sub.steps[0].n <= math.MaxInt32 {
			a.to[i] = armPlan{n: int(sub.steps[0].n)}
		}
	}
	// How long an unknown attribute is, nobody can say.
	if t.Default > 0 && as != attribute {
		a.other = int32(t.Default - 1)
	}
	a.index(t.Arms)
	return a
}

// index makes the tables to find an arm by its value, of which the most have
// values that lie close to the first.
func (a *arms) index(list []types.Arm) {
	const most = 1024
	dense := 0
	for dense < len(list) && list[dense].Value-list[0].Value < most {
		dense++
	}
	if dense > 0 {
		a.first = list[0].Value
		a.dense = make([]int32, list[dense-1].Value-a.first+1)
		for i := range a.dense {
			a.dense[i] = a.other
		}
	}
	for i, arm := range list {
		if i < dense {
			a.dense[arm.Value-a.first] = int32(arm.Field - 1)
		} else {
			a.values = append(a.values, types.Arm{Value: arm.Value, Field: arm.Field - 1})
		}
	}
}

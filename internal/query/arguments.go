package query

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/filter"
)

// Arguments list the values that RPCs have of some fields of arguments and results,
// as filters see them, in one pass over what was decoded. They are for one goroutine
// at a time.
type Arguments struct {
	texts []*text
	to    []*filter.Values
	plans []planColumns
}

// planColumns says of each mark of a plan which of the fields have its values in a
// call, and which in a reply: bit i is that of field i.
type planColumns struct {
	plan        *walk.Plan
	call, reply []uint64
}

// Arguments are those of the fields with these names, 64 at most.
func (s *Sets) Arguments(names ...string) *Arguments {
	a := new(Arguments)
	for _, name := range names {
		i := slices.IndexFunc(s.texts, func(t text) bool { return t.Name == name })
		if i < 0 {
			panic("query: no field of arguments is named " + name)
		}
		a.texts = append(a.texts, &s.texts[i])
	}
	a.to = make([]*filter.Values, len(names))
	return a
}

// Keys are the fields of texts that the values are of: they are for
// dissect.Bindings.Ask, without which an RPC does not have them.
func (a *Arguments) Keys() (keys []string) {
	for _, t := range a.texts {
		keys = append(keys, t.keys...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// List lists the values that an RPC has of each of the fields, in their order.
func (a *Arguments) List(r *dissect.RPC, to []filter.Numbers) {
	for i := range a.to {
		a.to[i] = to[i].Of()
	}
	if b := body(r.Call); b != nil {
		a.list(b, a.columns(b.Binding.Plan()).call)
	}
	if b := body(r.Reply); b != nil {
		a.list(b, a.columns(b.Binding.Plan()).reply)
	}
}

func (a *Arguments) list(b *dissect.Body, columns []uint64) {
	for k := range b.Events {
		e := &b.Events[k]
		if e.Kind != walk.Value {
			continue
		}
		for i, c := 0, columns[e.Mark]; c != 0; i, c = i+1, c>>1 {
			if c&1 != 0 {
				a.texts[i].value(b, e, a.to[i])
			}
		}
	}
}

// columns are those of a plan, worked out when it comes for the first time.
func (a *Arguments) columns(p *walk.Plan) *planColumns {
	for i := range a.plans {
		if a.plans[i].plan == p {
			return &a.plans[i]
		}
	}
	c := planColumns{plan: p, call: make([]uint64, len(p.Marks)), reply: make([]uint64, len(p.Marks))}
	for i, t := range a.texts {
		for mark, has := range t.marks(p) {
			if has {
				c.call[mark] |= 1 << i
				if !t.call {
					c.reply[mark] |= 1 << i
				}
			}
		}
	}
	a.plans = append(a.plans, c)
	return &a.plans[len(a.plans)-1]
}

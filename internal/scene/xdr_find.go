package scene

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// A step goes from a value to one inside it.
type step struct {
	index int
	typ   *types.Type
	field *types.Field // nil for what is optional
	// selects says that the step is to a union's discriminant.
	selects bool
}

// A place is a value on the way of a search.
type place struct {
	typ   *types.Type
	field *types.Field
	node  *node // nil if the text says nothing of it
	way   []step
}

func (p place) to(s step) place {
	q := place{typ: s.typ, field: s.field, way: append(p.way[:len(p.way):len(p.way)], s)}
	if p.node != nil {
		q.node = p.node.kids[s.index]
	}
	return q
}

// inside are the steps from a value to those directly inside it; arrays and
// lists have none. Of a union whose arm is settled they are the discriminant
// and that arm.
func (p place) inside(tr *trouble) (steps []step) {
	switch t := p.typ; {
	case t.Kind == types.Struct:
		for i := range t.Fields {
			steps = append(steps, step{i, t.Fields[i].Type, &t.Fields[i], false})
		}
	case t.Kind == types.Union:
		arm := 0
		if p.node != nil && len(p.node.kids) > 0 {
			_, arm = p.node.discriminant(tr)
		}
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Name != "" && (i == 0 || arm == 0 || i == arm) {
				steps = append(steps, step{i, f.Type, f, i == 0})
			}
		}
	case t.Kind == types.Optional && !t.IsList():
		steps = append(steps, step{0, t.Elem, nil, false})
	case p.field != nil && p.field.Content != nil && p.field.Content.By < 0:
		steps = append(steps, step{0, p.field.Content.Type, nil, false})
	case p.field != nil && p.field.Content != nil:
		for i, f := range p.field.Content.Type.Fields {
			if i > 0 && f.Name != "" {
				steps = append(steps, step{i, f.Type, &p.field.Content.Type.Fields[i], false})
			}
		}
	}
	return steps
}

// findPlace goes to the field of that name which lies least deep, the first of
// several. If there is none, the part of a name before its first _ does not
// count: slotid finds sa_slotid.
func (p place) findPlace(name string, tr *trouble) (place, bool) {
	for _, short := range []bool{false, true} {
		seen := map[*types.Type]bool{}
		for queue := []place{p}; len(queue) > 0; queue = queue[1:] {
			here := queue[0]
			if seen[here.typ] {
				continue
			}
			if here.typ.Kind == types.Struct || here.typ.Kind == types.Union {
				seen[here.typ] = true
			}
			for _, s := range here.inside(tr) {
				next := here.to(s)
				if s.field != nil && matches(s.field.Name, name, short) {
					return next, true
				}
				queue = append(queue, next)
			}
		}
	}
	return p, false
}

func matches(field, name string, short bool) bool {
	if short {
		_, rest, cut := strings.Cut(field, "_")
		return cut && rest == name
	}
	return field == name
}

// called is what a person calls a value.
func called(n *node) string {
	if n.name != "" {
		return n.name
	}
	return n.typ.String()
}

// reach makes the nodes on a way and returns the last.
func (n *node) reach(way []step, line int) *node {
	for _, s := range way {
		name := n.name
		if s.field != nil {
			name = s.field.Name
		}
		n = n.kid(s.index, s.typ, name, line)
	}
	return n
}

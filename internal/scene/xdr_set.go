package scene

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// set gives a node the value that the text has for it; f is its field, nil if
// there is none.
func (x *encoder) set(n *node, f *types.Field, v *value) {
	if x.err != nil {
		return
	}
	switch t := n.typ; {
	case t.Kind == types.Optional && t.IsList() || t.Kind == types.Array || t.Kind == types.FixedArray:
		x.setList(n, f, v)
	case t.Kind == types.Optional && v.word != "FALSE":
		x.set(n.kid(0, t.Elem, n.name, v.line), nil, v)
	case t.Kind == types.Optional:
	case t.Kind == types.Union && !v.isBraces && isSwitch(t) && v.word != "TRUE" && v.word != "FALSE":
		arm := armOf(t, 1)
		x.set(n.kid(arm, t.Fields[arm].Type, t.Fields[arm].Name, v.line), &t.Fields[arm], v)
	case t.Kind == types.Union && !v.isBraces:
		x.set(n.kid(0, t.Fields[0].Type, t.Fields[0].Name, v.line), &t.Fields[0], v)
	case v.isBraces:
		x.setBraces(n, f, v)
	case t.Kind == types.Struct && len(t.Fields) == 1:
		x.set(n.kid(0, t.Fields[0].Type, t.Fields[0].Name, v.line), &t.Fields[0], v)
	case t.Kind == types.Struct || t.Kind == types.Void:
		x.failf(v.line, "%s is a %s", called(n), t)
	case (t.Kind == types.Opaque || t.Kind == types.String || t.Kind == types.FixedOpaque) != v.isBytes || v.isList:
		x.failf(v.line, "%s is of type %s", called(n), t)
	default:
		n.value = v
	}
}

// isSwitch reports whether a union is something that is there if a Boolean says
// so.
func isSwitch(t *types.Type) bool {
	return t.Fields[0].Type.Kind == types.Bool && armOf(t, 1) != 0 && t.Fields[armOf(t, 1)].Type.Kind != types.Void
}

// setBraces gives a node what stands in braces: of a struct the values without
// a name are its fields in their order, of a union the first is its
// discriminant and the others belong to the arm.
func (x *encoder) setBraces(n *node, f *types.Field, v *value) {
	list := v.list
	if n.typ.Kind == types.Union {
		switch {
		case v.word != "":
			list = append([]*value{{line: v.line, word: v.word}}, list...)
			fallthrough
		case len(list) > 0 && !(list[0].isBraces && list[0].word == ""):
			x.set(n, nil, list[0])
			list = list[1:]
		}
	}
	x.setPlain(n, list, v.line)
	x.setFields(n, f, v.fields)
}

// setFields gives fields their values, discriminants first: they say where the
// others may be.
func (x *encoder) setFields(n *node, f *types.Field, fields []assignment) {
	for _, discriminants := range []bool{true, false} {
		for _, a := range fields {
			if x.err != nil {
				return
			}
			p := place{typ: n.typ, field: f, node: n}
			ok := true
			for _, name := range a.path {
				if p, ok = p.findPlace(name, x.trouble); !ok {
					break
				}
			}
			if !ok {
				if !discriminants {
					x.failf(a.line, "%s has no field %s", called(n), strings.Join(a.path, "."))
				}
				continue
			}
			last := p.way[len(p.way)-1]
			if last.selects == discriminants {
				x.set(n.reach(p.way, a.line), last.field, a.value)
			}
		}
	}
}

// setPlain gives a node the values that have no name.
func (x *encoder) setPlain(n *node, list []*value, line int) {
	t := n.typ
	switch {
	case len(list) == 0 || x.err != nil:
	case t.Kind == types.Union:
		_, arm := n.discriminant(x.trouble)
		if arm == 0 || t.Fields[arm].Type.Kind == types.Void {
			x.failf(line, "%s has no arm for more values", called(n))
			return
		}
		f := &t.Fields[arm]
		x.set(n.kid(arm, f.Type, f.Name, line), f, &value{line: line, list: list, isBraces: true})
	case t.Kind == types.Struct:
		x.setOrdered(n, list)
	case len(list) == 1:
		x.set(n, nil, list[0])
	default:
		x.failf(line, "%s takes one value", called(n))
	}
}

// setOrdered gives the fields of a struct values in their order. A list goes to
// the operations, if the struct has some.
func (x *encoder) setOrdered(n *node, list []*value) {
	t, next := n.typ, 0
	for _, v := range list {
		i := next
		if last := len(t.Fields) - 1; v.isList && isOperations(t.Fields[last].Type) {
			i = last
		} else {
			next++
		}
		if i >= len(t.Fields) {
			x.failf(v.line, "%s has %d fields", called(n), len(t.Fields))
			return
		}
		x.set(n.kid(i, t.Fields[i].Type, t.Fields[i].Name, v.line), &t.Fields[i], v)
	}
}

// setList gives an array or list its elements; a bitmap may name its bits.
func (x *encoder) setList(n *node, f *types.Field, v *value) {
	if !v.isList {
		x.failf(v.line, "%s takes a list in [ ]", called(n))
		return
	}
	names := n.typ.As.Names
	if f != nil && f.As.Names != nil {
		names = f.As.Names
	}
	n.isList = true
	for _, e := range v.list {
		if bit, ok := named(e.word, []*types.Names{names}); ok && n.typ.Elem.Kind == types.UnsignedInt {
			n.setBit(uint32(bit))
			continue
		}
		kid := &node{typ: n.typ.Elem, name: n.name, line: e.line}
		if x.set(kid, nil, e); x.err != nil {
			return
		}
		n.list = append(n.list, kid)
	}
}

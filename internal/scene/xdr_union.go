package scene

import "github.com/rdmacap/rdmacap/dissect/xdr/types"

// union writes a discriminant and the arm that it selects. The discriminant is
// what the text says, or else what selects the arm of which it says something,
// or else what means success.
func (x *encoder) union(t *types.Type, n *node) {
	v, arm := n.discriminant(x.trouble)
	x.word(v)
	for i := range n.kids {
		if i != 0 && i != arm {
			x.failf(n.kids[i].line, "%s is not in the arm that %d selects", n.kids[i].name, int32(v))
		}
	}
	if arm != 0 {
		x.encode(t.Fields[arm].Type, &t.Fields[arm], n.kids[arm])
	}
}

// discriminant is the value of a union's discriminant and the index of the arm
// that it selects, 0 if the text has none for it.
func (n *node) discriminant(tr *trouble) (v uint32, arm int) {
	t := n.typ
	if d := n.kids[0]; d != nil && d.value != nil {
		wide, ok := number(d.value.word, t.Fields[0].Type, &t.Fields[0])
		if !ok {
			tr.failf(d.line, "%s: %q is no value of %s", t.Fields[0].Name, d.value.word, t.Fields[0].Type)
		}
		return uint32(wide), armOf(t, uint32(wide))
	}
	for i := range n.kids {
		if i != 0 && selects(t, i, &v) {
			return v, i
		}
	}
	if ok, has := success(t); has {
		return ok, armOf(t, ok)
	}
	names := t.Fields[0].Type.Names
	if arm = armOf(t, 0); arm != 0 && (names == nil || names.Name(0) != "") || len(t.Arms) == 0 {
		return 0, arm
	}
	return t.Arms[0].Value, t.Arms[0].Field
}

// armOf is the index of the arm that a value selects, 0 if there is none.
func armOf(t *types.Type, v uint32) int {
	for _, a := range t.Arms {
		if a.Value == v {
			return a.Field
		}
	}
	return t.Default
}

// success is the discriminant that means success, if one does.
func success(t *types.Type) (v uint32, ok bool) {
	f := &t.Fields[0]
	if f.Status {
		return f.OK, true
	}
	if n := f.Type.Names; n != nil && n.OK >= 0 && n.OK < len(n.Members) {
		return uint32(n.Members[n.OK].Value), true
	}
	return 0, false
}

// selects finds a value that selects an arm: success if that does, or the first
// that the text names.
func selects(t *types.Type, arm int, v *uint32) bool {
	if ok, has := success(t); has && armOf(t, ok) == arm {
		*v = ok
		return true
	}
	for _, a := range t.Arms {
		if a.Field == arm {
			*v = a.Value
			return true
		}
	}
	if names := t.Fields[0].Type.Names; names != nil {
		for _, m := range names.Members {
			if *v = uint32(m.Value); armOf(t, *v) == arm {
				return true
			}
		}
		return false
	}
	for *v = 0; *v <= uint32(len(t.Arms)); *v++ {
		if armOf(t, *v) == arm {
			return true
		}
	}
	return false
}

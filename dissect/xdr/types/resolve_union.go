package types

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/xdr/slab"
	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// labels finds the values of a union's labels.
func (r *resolver) labels(t *Type, labels []syntax.Label) error {
	d := t.Fields[0].Type.Root()
	switch d.Kind {
	case Int, UnsignedInt, Enum, Bool:
	default:
		return fault(t.Fields[0].Place, "a discriminant must be an int, unsigned int, bool or enum, not "+t.Fields[0].Type.String())
	}
	t.Arms = make([]Arm, 0, len(labels))
	for _, l := range labels {
		n, err := r.number(l.Value)
		if err != nil {
			return err
		}
		if d.Kind == Enum && l.Value.IsName() && !r.isValue(l.Value.Text, d) {
			return fault(l.Value.Place, l.Value.Text+" is not a value of "+d.String()+syntax.DidYouMean(l.Value.Text, d.Names.names()))
		}
		if n != int64(uint32(n)) && n != int64(int32(n)) || d.Kind == Bool && n>>1 != 0 {
			return fault(l.Value.Place, "the discriminant cannot have the value "+l.Value.Text)
		}
		t.Arms = append(t.Arms, Arm{uint32(n), l.Field})
	}
	slices.SortStableFunc(t.Arms, func(a, b Arm) int { return cmp.Compare(a.Value, b.Value) })
	for i := 1; i < len(t.Arms); i++ {
		if v := t.Arms[i].Value; t.Arms[i-1].Value == v {
			for _, l := range slices.Backward(labels) {
				if n, _ := r.number(l.Value); uint32(n) == v {
					return fault(l.Value.Place, l.Value.Text+" is in the union twice")
				}
			}
		}
	}
	return nil
}

// isValue reports whether a constant is a value of an enum.
func (r *resolver) isValue(name string, enum *Type) bool {
	c := &r.constants[r.consts[name]]
	return c.enum != nil && c.enum.Names == enum.Names
}

// index makes the names of an enum ready to be looked up by value.
func (r *resolver) index(n *Names) {
	list := r.values[:0]
	for i := range n.Members {
		list = append(list, valueName{n.Members[i].Value, n.Members[i].Rank, n.Members[i].Name})
	}
	r.values = list
	byValue := func(a, b valueName) int { return cmp.Compare(a.value, b.value) }
	if !slices.IsSortedFunc(list, byValue) {
		slices.SortStableFunc(list, byValue)
	}
	list = slices.CompactFunc(list, func(a, b valueName) bool { return a.value == b.value })
	n.byValue = slab.Copy(&r.valueSlab, list)
}

// position is the index of the member of that name, -1 if there is none.
func (n *Names) position(name string) int {
	return slices.IndexFunc(n.Members, func(m Member) bool { return m.Name == name })
}

func (n *Names) names() (names []string) {
	for i := range n.Members {
		names = append(names, n.Members[i].Name)
	}
	return names
}

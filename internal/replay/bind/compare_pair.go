package bind

import (
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/field"
)

// pair finds for each part of a value the one that stands at its place in another value, nil
// where there is none: by the names of fields and the numbers of elements, but in a list
// whose elements have names (@bind name) by these.
func pair(d *differ, was, is *field.Node) []*field.Node {
	pairs := make([]*field.Node, len(was.Children))
	if pairByOrder(pairs, was, is) && !d.named(was) {
		return pairs
	}
	by := make(map[string]*field.Node, len(is.Children))
	for i := range is.Children {
		c := &is.Children[i]
		by[d.name(c, d.live)] = c
	}
	for i := range was.Children {
		pairs[i] = by[d.name(&was.Children[i], d.captured)]
	}
	return pairs
}

// pairByOrder pairs the parts one by one, as long as their names are the same; it reports
// whether all were.
func pairByOrder(pairs []*field.Node, was, is *field.Node) bool {
	if len(was.Children) != len(is.Children) {
		return false
	}
	for i := range pairs {
		if was.Children[i].Name != is.Children[i].Name {
			return false
		}
		pairs[i] = &is.Children[i]
	}
	return true
}

// named reports whether the elements of a list have names.
func (d *differ) named(list *field.Node) bool {
	return len(list.Children) > 0 && d.elementName(&list.Children[0]) != nil
}

// name is that of an element, or of a field.
func (d *differ) name(n *field.Node, data []byte) string {
	if e := d.elementName(n); e != nil {
		return string(data[e.Start:e.End])
	}
	return n.Name
}

// elementName is the part of an element that names it, nil if none does.
func (d *differ) elementName(n *field.Node) *field.Node {
	if n.Key != "" || n.Name == "" || n.Name[0] != '[' {
		return nil
	}
	for i := range n.Children {
		c := &n.Children[i]
		if f := d.field(c); f != nil && f.Bind != nil && f.Bind.Kind == types.ElementNames {
			return c
		}
	}
	return nil
}

package lang

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// item reads a field that contains others.
func (v *view) item(n *field.Node, f *Field) item {
	n.Start = v.c.Offset()
	n.End = n.Start
	v.nodes++
	it := v.opaqueData(n, f.Type, f, As{Format: Count})
	if n.Fault == "" {
		n.End = v.c.Offset()
	}
	return it
}

// content adds what the octets of an item hold.
func (v *view) content(n *field.Node, t *Type, f *Field, starts []int, it item, depth int) {
	outer, told, limit := v.enter(v.octets, it), v.told, v.limit
	v.limit = it.offset + int(it.length)
	switch c := f.Content; {
	case c.By < 0:
		child := field.Node{Name: c.Type.String()}
		v.value(&child, c.Type, nil, depth)
		n.Children = append(n.Children, child)
	case c.Attributes:
		at := starts[c.By]
		count := int(binary.BigEndian.Uint32(v.octets[at:]))
		bitmap := v.octets[at+4 : at+4+4*count]
		for i := range 8 * len(bitmap) {
			if bit(bitmap, i) && !v.arm(n, c.Type.labelled(uint32(i)), depth) {
				break
			}
		}
	default:
		word := binary.BigEndian.Uint32(v.octets[starts[c.By]:])
		v.arm(n, c.Type.arm(word), depth)
	}
	if rest := v.c.Remaining(); rest > 0 {
		at := v.c.Offset()
		n.Children = append(n.Children, field.Node{
			Name: "not decoded", Value: string(writer{full: true}.some(nil, v.octets[at:at+rest])), Start: at, End: at + rest,
		})
	}
	v.leave(outer)
	v.told, v.limit = told, limit
}

// labelled is the arm that a case of the union names; the default is none.
func (t *Type) labelled(v uint32) *Field {
	if i := t.armIndex(v); i > 0 && i != t.Default {
		return &t.Fields[i]
	}
	for _, a := range t.Arms {
		if a.Value == v {
			return &t.Fields[a.Field]
		}
	}
	return nil
}

// arm adds an arm's value, and reports whether there is one and it is whole.
func (v *view) arm(n *field.Node, f *Field, depth int) bool {
	if f == nil {
		return false
	}
	if f.Type.Kind == Void {
		return true
	}
	child := field.Node{Key: f.Key, Name: f.Name}
	if f.Content != nil {
		if it := v.item(&child, f); it.chunk < 0 && !v.c.Bad() {
			v.content(&child, nil, f, nil, it, depth+1)
		}
	} else {
		v.value(&child, f.Type, f, depth)
	}
	n.Children = append(n.Children, child)
	n.End = max(n.End, child.End)
	return !v.c.Bad()
}

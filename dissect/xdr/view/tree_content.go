package view

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// item reads a field that contains others.
func (v *view) item(n *field.Node, f *types.Field) walk.OpaqueData {
	n.Start = v.Offset()
	n.End = n.Start
	v.nodes++
	it := v.opaqueData(n, f.Type, f, types.As{Format: types.Count})
	if n.Fault == "" {
		n.End = v.Offset()
	}
	return it
}

// content adds what the bytes of an item hold.
func (v *view) content(n *field.Node, t *types.Type, f *types.Field, starts []int, it walk.OpaqueData, depth int) {
	outer, told, limit := v.Enter(v.bytes, it), v.faultShown, v.limit
	v.limit = it.Offset + int(it.Length)
	switch c := f.Content; {
	case c.By < 0:
		child := field.Node{Name: c.Type.String()}
		v.value(&child, c.Type, nil, depth)
		n.Children = append(n.Children, child)
	case c.Attributes:
		at := starts[c.By]
		count := int(binary.BigEndian.Uint32(v.bytes[at:]))
		bitmap := v.bytes[at+4 : at+4+4*count]
		for i := range 8 * len(bitmap) {
			if bit(bitmap, i) && !v.arm(n, labelled(c.Type, uint32(i)), depth) {
				break
			}
		}
	default:
		word := binary.BigEndian.Uint32(v.bytes[starts[c.By]:])
		v.arm(n, c.Type.Arm(word), depth)
	}
	if rest := v.Remaining(); rest > 0 {
		at := v.Offset()
		n.Children = append(n.Children, field.Node{
			Name: "not decoded", Value: string(writer{full: true}.some(nil, v.bytes[at:at+rest])), Start: at, End: at + rest,
		})
	}
	v.Leave(outer)
	v.faultShown, v.limit = told, limit
}

// labelled is the arm that a case of the union names; the default is none.
func labelled(t *types.Type, v uint32) *types.Field {
	for _, a := range t.Arms {
		if a.Value == v {
			return &t.Fields[a.Field]
		}
	}
	return nil
}

// arm adds an arm's value, and reports whether there is one and it is whole.
func (v *view) arm(n *field.Node, f *types.Field, depth int) bool {
	if f == nil {
		return false
	}
	if f.Type.Kind == types.Void {
		return true
	}
	child := field.Node{Key: f.Key, Name: f.Name}
	if f.Content != nil {
		if it := v.item(&child, f); it.Chunk < 0 && !v.Bad() {
			v.content(&child, nil, f, nil, it, depth+1)
		}
	} else {
		v.value(&child, f.Type, f, depth)
	}
	n.Children = append(n.Children, child)
	n.End = max(n.End, child.End)
	return !v.Bad()
}

// bit reports whether a bitmap of words has bit i: bit 0 is the least one of
// the first word (RFC 8881, section 3.3.7).
func bit(bitmap []byte, i int) bool { return bitmap[i/32*4+3-i%32/8]>>(i%8)&1 == 1 }

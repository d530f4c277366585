package scene

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// An item is opaque data or a string in an RPC message.
type item struct {
	name          string // of its field
	start, length int    // of its data in bytes, without length word and pad
	eligible      bool   // DDP-eligible, by the text of its program
}

// padded is the item's length with its pad.
func (i item) padded() int { return i.length + -i.length&3 }

// A node is a value of a type in the making: what the text says of it. What it
// does not say has no node.
type node struct {
	typ  *types.Type
	name string // of the field
	line int
	// value is that of a number, name, opaque data or string.
	value *value
	// kids are those of a Struct and a Union by the index of their field (0
	// being a Union's discriminant), that of an Optional by 0, that of opaque
	// data which hold items by the index of their arm, or 0.
	kids map[int]*node
	// list are the elements of an Array, FixedArray or list, if isList.
	list   []*node
	isList bool
}

// kid is the node under n with that index, made if it is not there.
func (n *node) kid(i int, t *types.Type, name string, line int) *node {
	if n.kids == nil {
		n.kids = make(map[int]*node)
	}
	if n.kids[i] == nil {
		n.kids[i] = &node{typ: t, name: name, line: line}
	}
	return n.kids[i]
}

// encoder writes values as XDR (RFC 4506) and notes the items among them.
type encoder struct {
	*trouble
	b     []byte
	items []item
	depth int
	// element is where the last element of the last array begins that ended.
	element int
}

func (x *encoder) word(v uint32) { x.b = binary.BigEndian.AppendUint32(x.b, v) }

// opaque writes a length word, data and pad.
func (x *encoder) opaque(name string, data []byte, eligible bool) {
	x.word(uint32(len(data)))
	x.items = append(x.items, item{name, len(x.b), len(data), eligible})
	x.fixed(data)
}

func (x *encoder) fixed(data []byte) {
	x.b = append(x.b, data...)
	x.b = append(x.b, make([]byte, -len(data)&3)...)
}

// encode writes the value of a type; n is nil where the text says nothing.
func (x *encoder) encode(t *types.Type, f *types.Field, n *node) {
	if x.depth++; x.depth > 4*deepest || x.err != nil {
		x.failf(0, "values nest too deep")
		return
	}
	defer func() { x.depth-- }()
	if n == nil {
		n = &node{typ: t}
	}
	switch t.Kind {
	case types.Void:
	case types.Struct:
		x.structure(t, n)
	case types.Union:
		x.union(t, n)
	case types.Optional:
		x.optional(t, n)
	case types.FixedArray:
		for i := range int(t.Limit) {
			x.encode(t.Elem, nil, n.element(i))
		}
	case types.Array:
		x.word(uint32(len(n.list)))
		begin := 0
		for _, e := range n.list {
			begin = len(x.b)
			x.encode(t.Elem, nil, e)
		}
		x.element = begin
	case types.FixedOpaque:
		data := make([]byte, t.Limit)
		if n.value != nil {
			if len(n.value.bytes) > len(data) {
				x.failf(n.line, "%s has %d bytes", n.name, len(data))
			}
			copy(data, n.value.bytes)
		}
		x.fixed(data)
	case types.Opaque, types.String:
		x.data(f, n)
	default:
		x.scalar(t, f, n)
	}
}

// element is the i-th of the list, nil if there are fewer.
func (n *node) element(i int) *node {
	if i < len(n.list) {
		return n.list[i]
	}
	return nil
}

func (x *encoder) optional(t *types.Type, n *node) {
	switch {
	case t.IsList():
		for _, e := range n.list {
			x.word(1)
			for i := range len(t.Elem.Fields) - 1 {
				x.encode(t.Elem.Fields[i].Type, &t.Elem.Fields[i], e.kids[i])
			}
		}
		x.word(0)
	case n.kids[0] != nil:
		x.word(1)
		x.encode(t.Elem, nil, n.kids[0])
	default:
		x.word(0)
	}
}

// data writes opaque data or a string.
func (x *encoder) data(f *types.Field, n *node) {
	name, eligible := n.name, false
	if f != nil {
		name, eligible = f.Name, f.Eligible
	}
	var data []byte
	switch {
	case n.value != nil:
		data = n.value.bytes
	case f != nil && f.Content != nil && (len(n.kids) > 0 || f.Content.By < 0):
		inner := encoder{trouble: x.trouble, depth: x.depth}
		inner.content(f.Content, n)
		data = inner.b
	}
	x.opaque(name, data, eligible)
}

// content writes the value that opaque data hold, or those of attributes.
func (x *encoder) content(c *types.Content, n *node) {
	if c.By < 0 {
		x.encode(c.Type, nil, n.kids[0])
		return
	}
	for _, arm := range c.Type.Arms {
		if kid, set := n.kids[arm.Field]; set {
			x.encode(c.Type.Fields[arm.Field].Type, &c.Type.Fields[arm.Field], kid)
		}
	}
}

// structure writes the fields. Three things follow from others where the text
// does not say them: a count from the item that it counts, a minor version from
// the operations, and the status of a COMPOUND from that of its last operation.
func (x *encoder) structure(t *types.Type, n *node) {
	offsets := make([]int, len(t.Fields))
	for i := range t.Fields {
		offsets[i] = len(x.b)
		x.derive(t, n, i)
		x.encode(t.Fields[i].Type, &t.Fields[i], n.kids[i])
	}
	last := len(t.Fields) - 1
	if last < 1 || !isOperations(t.Fields[last].Type) || n.kids[last] == nil || len(n.kids[last].list) == 0 || x.err != nil {
		return
	}
	for i := range t.Fields[:last] {
		switch f := &t.Fields[i]; {
		case n.kids[i] != nil:
		case f.Name == "minorversion":
			binary.BigEndian.PutUint32(x.b[offsets[i]:], minorVersion(n.kids[last]))
		case i == 0 && f.Type.Kind == types.Enum && len(x.b) >= x.element+8:
			copy(x.b[offsets[i]:offsets[i]+4], x.b[x.element+4:])
		}
	}
}

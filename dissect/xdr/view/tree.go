package view

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// maxNodes bounds a tree: elements of arrays beyond it are counted, not shown.
const maxNodes = 1 << 16

// Nodes is the tree of the value that begins at byte at of b. Every field has
// its own node, of an item with its length word and pad. An item that
// travelled in a chunk has only its length word here; its value says so, and
// shows the data if chunks has them, by the number of the chunk. A fault
// stands on the node that has its byte.
func Nodes(r *walk.Route, b []byte, at int, reduced walk.Reduction, chunks [][]byte) field.Node {
	return nodes(r, b, at, reduced, chunks, nil)
}

func nodes(r *walk.Route, b []byte, at int, reduced walk.Reduction, chunks [][]byte, leaf func(Leaf)) field.Node {
	at = max(0, min(at, len(b)))
	v := view{bytes: b[at:], at: at, route: r, chunks: chunks, limit: len(b) - at, leaf: leaf}
	v.walker.Walk(r, v.bytes, reduced)
	v.Begin(v.bytes, reduced, v.walker.Skipped, v.walker.Split)
	n := field.Node{Name: r.Type.String()}
	if len(r.Type.Fields) > 0 {
		n.Key = r.Type.Key()
	}
	v.value(&n, r.Type, nil, 0)
	if line := AppendSummary(nil, &v.walker); len(line) > 0 {
		n.Value = string(line)
	}
	v.blame(&n)
	n.Shift(at)
	return n
}

// A view walks over bytes as the Walker does, and keeps everything.
type view struct {
	walk.Stream
	bytes      []byte
	at         int // where bytes begin in the caller's buffer
	route      *walk.Route
	chunks     [][]byte
	walker     walk.Walker
	structs    int // how many structs are around what is read
	nodes      int
	limit      int          // where the bytes, or the content that is read, end
	faultShown bool         // the fault stands on a node
	leaf       func(Leaf)   // nil if nobody asks
	element    *types.Field // whose elements are read
}

// bad reports whether the stream has a fault, and puts it on the node that
// was read then.
func (v *view) bad(n *field.Node) bool {
	v.Past()
	if !v.Bad() {
		return false
	}
	v.blame(n)
	return true
}

// blame puts the fault, if there is one that no node has yet, on a node.
func (v *view) blame(n *field.Node) {
	f, _ := v.End()
	if !f.Bad() || v.faultShown {
		return
	}
	v.faultShown = true
	n.End = max(n.End, n.Start, min(f.Offset+4, v.limit))
	f.Offset += v.at
	n.Fault = f.String()
}

// value reads a value into a node that has a name.
func (v *view) value(n *field.Node, t *types.Type, f *types.Field, depth int) {
	n.Start = v.Offset()
	n.End = n.Start
	v.nodes++
	if v.TooDeep(depth) {
		v.blame(n)
		return
	}
	as := t.As
	if f != nil {
		as = f.As
	}
	switch {
	case t.IsWord():
		v.word(n, t, as)
		v.number(t, f, n.Start)
	case t.Kind == types.FixedOpaque || t.Kind == types.Quadruple:
		v.fixed(n, t, as)
	case t.Kind == types.Opaque || t.Kind == types.String:
		it := v.opaqueData(n, t, f, as)
		if it.Chunk < 0 && !v.Bad() {
			v.emit(Leaf{Type: t, Field: f, Start: it.Offset, End: it.Offset + int(it.Length)})
		}
	case t.Kind == types.Struct:
		v.structure(n, t, as, depth)
	case t.Kind == types.Union:
		v.union(n, t, depth)
	case t.Kind == types.Optional:
		v.optional(n, t, f, depth)
	case t.Kind == types.Array || t.Kind == types.FixedArray:
		v.array(n, t, f, as, depth)
	}
	if n.Fault == "" {
		n.End = max(n.End, v.Offset())
	}
}

func (v *view) word(n *field.Node, t *types.Type, as types.As) {
	var value uint64
	switch {
	case t.Kind == types.Bool:
		if v.Bool() {
			value = 1
		}
	case t.Size() == 8:
		value = v.Uint64()
	case t.Kind == types.Int || t.Kind == types.Enum:
		value = uint64(int32(v.Uint32()))
	default:
		value = uint64(v.Uint32())
	}
	if !v.bad(n) {
		n.Value = string(writer{full: true}.number(nil, t, as, value))
	}
}

func (v *view) fixed(n *field.Node, t *types.Type, as types.As) {
	length := t.Limit
	if t.Kind == types.Quadruple {
		length = 16
	}
	b := v.Fixed(int(length))
	if !v.bad(n) {
		v.emit(Leaf{Type: t, Start: n.Start, End: n.Start + int(length)})
		n.Value = string(writer{full: true}.bytes(nil, t, as, b))
	}
}

// opaqueData reads opaque data or a string, without what it contains.
func (v *view) opaqueData(n *field.Node, t *types.Type, f *types.Field, as types.As) walk.OpaqueData {
	at := v.Offset()
	it := v.ReadOpaque(t.Most(), f != nil && f.Eligible)
	if v.bad(n) {
		return it
	}
	v.emit(Leaf{Start: at, End: at + 4})
	if it.Chunk < 0 {
		b := v.bytes[it.Offset : it.Offset+int(it.Length)]
		n.Value = string(writer{full: true}.bytes(nil, t, as, b))
		return it
	}
	value := field.AppendCount(nil, int64(it.Length), "byte")
	if v.route.IsResult {
		value = fmt.Appendf(value, " in Write chunk %d", it.Chunk+1) // the first is 1, as in rpcrdma.WriteChunkName
	} else {
		value = fmt.Appendf(value, " in the Read chunk at Position %d", it.Position)
	}
	if int(it.Chunk) < len(v.chunks) && v.chunks[it.Chunk] != nil && as.Format != types.Count {
		b := v.chunks[it.Chunk]
		b = b[:min(len(b), int(it.Length))]
		value = writer{full: true}.bytes(append(value, ": "...), t, as, b)
	}
	n.Value = string(value)
	return it
}

func (v *view) structure(n *field.Node, t *types.Type, as types.As, depth int) {
	v.fields(n, t, t.Fields, depth)
	if as.Format != types.Plain && !v.Bad() {
		n.Value = string(writer{full: true}.bytes(nil, t, as, v.bytes[n.Start:v.Offset()]))
	}
}

// fields reads the fields of a struct as children.
func (v *view) fields(n *field.Node, t *types.Type, fields []types.Field, depth int) {
	v.structs++
	defer func() { v.structs-- }()
	n.Children = slices.Grow(n.Children, len(fields))
	starts := make([]int, len(fields))
	for i := range fields {
		f := &fields[i]
		starts[i] = v.Offset()
		n.Children = append(n.Children, field.Node{Key: f.Key, Name: f.Name})
		child := &n.Children[len(n.Children)-1]
		if f.Content != nil {
			it := v.item(child, f)
			if it.Chunk < 0 && !v.Bad() {
				v.content(child, t, f, starts, it, depth+1)
			}
		} else {
			v.value(child, f.Type, f, depth)
		}
		n.End = max(n.End, child.End)
		if v.Bad() {
			return
		}
	}
}

func (v *view) union(n *field.Node, t *types.Type, depth int) {
	d := &t.Fields[0]
	child := field.Node{Key: d.Key, Name: d.Name}
	v.value(&child, d.Type, d, depth)
	if v.Bad() {
		n.Add(child)
		return
	}
	word := binary.BigEndian.Uint32(v.bytes[child.Start:])
	f := t.Arm(word)
	if f == nil {
		v.NoArm(child.Start)
		v.blame(&child)
	}
	n.Add(child)
	if d.Type.Kind == types.Enum {
		n.Value = string(writer{}.named(nil, d.Type, uint64(int32(word))))
	}
	v.arm(n, f, depth+1)
}

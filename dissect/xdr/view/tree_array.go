package view

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

func (v *view) optional(n *field.Node, t *types.Type, f *types.Field, depth int) {
	if t.IsList() {
		fields := t.Elem.Fields[:len(t.Elem.Fields)-1]
		for i := 0; ; i++ {
			entry := field.Node{Name: "[" + strconv.Itoa(i) + "]", Start: v.Offset(), End: v.Offset()}
			more := v.Bool()
			if v.bad(&entry) {
				n.Add(entry)
				return
			}
			v.number(nil, nil, entry.Start)
			if !more {
				n.Value = counted(i, "element")
				return
			}
			v.fields(&entry, t.Elem, fields, depth+1)
			v.child(n, entry)
			if v.Bad() {
				return
			}
		}
	}
	present := v.Bool()
	if v.bad(n) {
		return
	}
	v.number(nil, nil, n.Start)
	if !present {
		n.Value = "absent"
		return
	}
	start := n.Start
	v.value(n, t.Elem, f, depth+1)
	n.Start = start
}

// child adds an element, unless there are too many nodes already; one with a
// fault has its place in any case.
func (v *view) child(n *field.Node, child field.Node) {
	if v.nodes < maxNodes || v.Bad() {
		n.Children = append(n.Children, child)
	}
	n.End = max(n.End, child.End)
}

func (v *view) array(n *field.Node, t *types.Type, f *types.Field, as types.As, depth int) {
	count := int(min(uint64(t.Limit), 1<<31-1))
	if t.Kind == types.Array {
		count = v.Count(int(t.Most()), int(min(t.Elem.Min, 1<<31-1)))
		if v.bad(n) {
			return
		}
		v.number(nil, nil, n.Start)
	}
	if as.Format == types.Bits && t.Elem.Kind == types.UnsignedInt {
		at := v.Offset()
		v.Skip(4 * count)
		if !v.bad(n) {
			v.emit(Leaf{Start: at, End: v.Offset()})
			n.Value = string(writer{full: true}.bits(nil, as.Names, v.bytes[at:v.Offset()]))
		}
		return
	}
	n.Value = counted(count, "element")
	ops := depth == 0 && v.structs <= 1 && t.IsOperations()
	event := -1
	if t.Elem.IsLeaf() {
		v.element = f
		defer func() { v.element = nil }()
	}
	for i := range count {
		child := field.Node{Name: "[" + strconv.Itoa(i) + "]"}
		if t.Elem.IsLeaf() && f != nil {
			child.Key = f.Key
		}
		v.value(&child, t.Elem, nil, depth+1)
		if ops {
			if event = v.nextOperation(event); event >= 0 && child.Fault == "" {
				child.Value = string(AppendOperation(nil, &v.walker, event))
			}
		}
		v.child(n, child)
		if v.Bad() {
			return
		}
	}
	if v.nodes >= maxNodes {
		n.Value += ", not all shown"
	}
}

// nextOperation is the index of the Operation event after another one, -1 if
// there is none.
func (v *view) nextOperation(event int) int {
	for i := event + 1; i < len(v.walker.Events); i++ {
		if v.walker.Events[i].Kind == walk.Operation {
			return i
		}
	}
	return -1
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

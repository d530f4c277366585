package lang

import "github.com/rdmacap/rdmacap/field"

func (v *view) optional(n *field.Node, t *Type, f *Field, depth int) {
	if t.IsList() {
		fields := t.Elem.Fields[:len(t.Elem.Fields)-1]
		for i := 0; ; i++ {
			entry := field.Node{Name: "[" + itoa(i) + "]", Start: v.c.Offset(), End: v.c.Offset()}
			more := v.c.Bool()
			if v.bad(&entry) {
				n.Add(entry)
				return
			}
			if !more {
				n.Value = counted(i, "element")
				return
			}
			v.fields(&entry, t.Elem, fields, depth+1)
			v.child(n, entry)
			if v.c.Bad() {
				return
			}
		}
	}
	present := v.c.Bool()
	if v.bad(n) {
		return
	}
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
	if v.nodes < maxNodes || v.c.Bad() {
		n.Children = append(n.Children, child)
	}
	n.End = max(n.End, child.End)
}

func (v *view) array(n *field.Node, t *Type, f *Field, as As, depth int) {
	count := int(min(uint64(t.Limit), 1<<31-1))
	if t.Kind == Array {
		count = v.c.Count(int(t.most()), int(min(t.Elem.min, 1<<31-1)))
		if v.bad(n) {
			return
		}
	}
	if as.Format == Bits && t.Elem.Kind == UnsignedInt {
		at := v.c.Offset()
		v.c.Skip(4 * count)
		if !v.bad(n) {
			n.Value = string(writer{full: true}.bits(nil, as.Names, v.octets[at:v.c.Offset()]))
		}
		return
	}
	n.Value = counted(count, "element")
	ops := depth == 0 && v.structs <= 1 && operations(t)
	event := -1
	for i := range count {
		child := field.Node{Name: "[" + itoa(i) + "]"}
		if t.Elem.leaf() && f != nil {
			child.Key = f.Key
		}
		v.value(&child, t.Elem, nil, depth+1)
		if ops {
			if event = v.nextOperation(event); event >= 0 && child.Fault == "" {
				child.Value = string(v.walker.AppendOperation(nil, event))
			}
		}
		v.child(n, child)
		if v.c.Bad() {
			return
		}
	}
	if v.nodes >= maxNodes {
		n.Value += ", not all shown"
	}
}

// nextOperation is the index of the Operation event behind another one, -1 if
// there is none.
func (v *view) nextOperation(event int) int {
	for i := event + 1; i < len(v.walker.Events); i++ {
		if v.walker.Events[i].Kind == Operation {
			return i
		}
	}
	return -1
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}

func lowerCase(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

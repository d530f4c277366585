package field

import "strconv"

// A Node is one line of the details view: a header, a field, or a group of
// them, with the bytes it was read from. Trees are built only for what
// someone looks at.
type Node struct {
	// Key is the full name in filters ("bth.psn"), "" for groups without one.
	Key string
	// Name and Value are what a person reads; a header's Value is a summary.
	Name, Value string
	// Start and End bound the bytes of the node in the buffer shown; equal
	// where it has none of its own.
	Start, End int
	// Fault is what is wrong with these bytes, "" if nothing is.
	Fault string
	// Children are the parts, in wire order.
	Children []Node
}

// Node builds the tree of one header that begins at byte at of buf. Fields
// that the buffer cuts off are left out, and the node says so in its Fault.
func (t *Table) Node(buf []byte, at int) Node {
	n := Node{Key: t.Key, Name: t.Title, Start: at, End: min(at+t.Size(), len(buf))}
	if n.Name == "" {
		n.Name = t.Name
	} else if t.Name != "" && t.Name != t.Title {
		n.Name += " (" + t.Name + ")"
	}
	if at > len(buf) {
		n.Start, n.End = len(buf), len(buf)
		n.Fault = t.Name + " lies beyond the captured bytes"
		return n
	}
	header := buf[at:]
	var text []byte // key and value of a field
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.End() > len(header) {
			n.Fault = t.Name + " cut short at byte " + strconv.Itoa(len(buf))
			break
		}
		if i == 0 {
			n.Children = make([]Node, 0, len(t.Fields))
		}
		text = append(append(append(text[:0], t.Key...), '.'), f.Key...)
		key := len(text)
		text = f.AppendValue(text, header)
		both := string(text)
		n.Children = append(n.Children, Node{
			Key:   both[:key],
			Name:  f.Name,
			Value: both[key:],
			Start: at + f.Start(),
			End:   at + f.End(),
		})
	}
	return n
}

// Add appends a child and returns n, so that trees read from top to bottom.
func (n *Node) Add(child Node) *Node {
	n.Children = append(n.Children, child)
	n.End = max(n.End, child.End)
	return n
}

// Shift moves the node and all below it by n bytes: from offsets in a header
// to offsets in the frame that holds it.
func (n *Node) Shift(by int) {
	n.Start += by
	n.End += by
	for i := range n.Children {
		n.Children[i].Shift(by)
	}
}

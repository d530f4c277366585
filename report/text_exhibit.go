package report

import (
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/exhibit"
)

// exhibits prints the field trees and octets that were asked for. With the
// octets, each line of the tree stands beside those that it was read from.
//
//	Frame 44, 62 octets
//	  0000                                        ..    Ethernet
//	  0000  52 54 00 00 00 02                     RT..    Destination: 52:54:00:00:00:02
func (t *Text) exhibits(of func() []exhibit.Exhibit) {
	if !t.opts.Details && !t.opts.Hex {
		return
	}
	for _, e := range of() {
		t.spaces(4)
		t.b = t.style.heading.append(t.b, e.Title(t.opts.Files > 1))
		t.endRow()
		if t.opts.Hex && len(e.Octets) > 0 {
			t.dump(e)
		} else {
			t.tree(e.Nodes, 6)
		}
	}
	t.endRow()
}

// tree prints nodes and what is below them, two columns deeper each time.
func (t *Text) tree(nodes []field.Node, indent int) {
	for i := range nodes {
		n := &nodes[i]
		t.spaces(indent)
		t.label(n)
		t.endRow()
		t.tree(n.Children, indent+2)
	}
}

// label appends a node's name, value and fault.
func (t *Text) label(n *field.Node) {
	if len(n.Children) > 0 {
		t.b = t.style.heading.append(t.b, n.Name)
	} else {
		t.b = append(t.b, n.Name...)
	}
	if n.Value != "" {
		t.b = append(t.b, ": "...)
		t.b = append(t.b, n.Value...)
	}
	if n.Fault != "" {
		t.bracket(t.style.bad, n.Fault)
	}
}

func (t *Text) spaces(n int) {
	t.b = appendSpaces(t.b, n)
}

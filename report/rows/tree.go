package rows

import (
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/lines"
)

// tree prints nodes and what is below them, two columns deeper each time.
func (t *Text) tree(nodes []field.Node, indent int) {
	for i := range nodes {
		n := &nodes[i]
		t.Spaces(indent)
		t.label(n)
		if t.opts.Width > 0 {
			t.Fit(string(lines.AppendSpaces(nil, indent+4)))
		}
		t.End()
		t.tree(n.Children, indent+2)
	}
}

// label appends a node's name, value and fault.
func (t *Text) label(n *field.Node) {
	if len(n.Children) > 0 {
		t.B = t.Style.Heading.Append(t.B, n.Name)
	} else {
		t.B = append(t.B, n.Name...)
	}
	if n.Value != "" {
		t.B = append(t.B, ": "...)
		t.B = append(t.B, n.Value...)
	}
	if n.Fault != "" {
		t.Bracket(t.Style.Bad, n.Fault)
	}
}

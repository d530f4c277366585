package report

import (
	"encoding/hex"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

// tree prints nodes and what is below them, two columns deeper each time.
func (t *Text) tree(nodes []field.Node, indent int) {
	for i := range nodes {
		n := &nodes[i]
		t.spaces(indent)
		if len(n.Children) > 0 {
			t.b = t.style.heading.append(t.b, n.Name)
		} else {
			t.b = append(t.b, n.Name...)
		}
		if n.Value != "" {
			t.b = append(t.b, ": "...)
			t.b = append(t.b, n.Value...)
		}
		t.fault(n)
		t.endRow()
		t.tree(n.Children, indent+2)
	}
}

func (t *Text) fault(n *field.Node) {
	if n.Fault != "" {
		t.b = append(t.b, "  ["...)
		t.b = t.style.bad.append(t.b, n.Fault)
		t.b = append(t.b, ']')
	}
}

func (t *Text) spaces(n int) {
	for range n {
		t.b = append(t.b, ' ')
	}
}

// dumpWidth is how many octets a line of the hex dump has.
const dumpWidth = 16

// dump prints the octets of an exhibit, one field a line, so that each field's
// span is the line's octets; what belongs to no field follows in plain lines.
func (t *Text) dump(e dissect.Exhibit) {
	at := 0
	for i := range e.Nodes {
		at = t.dumpNode(e.Octets, &e.Nodes[i], "", at)
	}
	t.octets(e.Octets, at, len(e.Octets), "")
	t.endRow()
}

// dumpNode prints the octets of a node from at on, and returns where it ended.
// Fields that share octets, as bits of one octet do, share their line's octets.
func (t *Text) dumpNode(octets []byte, n *field.Node, header string, at int) int {
	if len(n.Children) > 0 {
		if n.Start > at {
			t.octets(octets, at, n.Start, "")
			at = n.Start
		}
		for i := range n.Children {
			at = t.dumpNode(octets, &n.Children[i], n.Name, at)
		}
		return at
	}
	if n.Start > at {
		t.octets(octets, at, min(n.Start, len(octets)), "")
		at = n.Start
	}
	label := n.Name
	if header != "" {
		label = header + " · " + n.Name
	}
	if n.Value != "" {
		label += ": " + n.Value
	}
	if n.Fault != "" {
		label += "  [" + n.Fault + "]"
	}
	t.octets(octets, n.Start, min(n.End, len(octets)), label)
	return max(at, min(n.End, len(octets)))
}

// octets prints lines of octets, the label behind the first.
func (t *Text) octets(octets []byte, start, end int, label string) {
	for first := true; first && label != "" || start < end; first = false {
		line := octets[start:max(start, min(end, start+dumpWidth))]
		t.spaces(6)
		t.b = append(t.b, t.style.dim.on...)
		t.b = field.AppendHex(t.b, uint64(start), 4)[:]
		t.b = append(t.b, t.style.dim.off...)
		t.b = append(t.b, "  "...)
		at := len(t.b)
		for i := range line {
			t.b = hex.AppendEncode(t.b, line[i:i+1])
			t.b = append(t.b, ' ')
		}
		t.b = pad(t.b, at, dumpWidth*3, false)
		t.b = append(t.b, ' ')
		at = len(t.b)
		for _, c := range line {
			if c < ' ' || c > '~' {
				c = '.'
			}
			t.b = append(t.b, c)
		}
		if first && label != "" {
			t.b = pad(t.b, at, dumpWidth, false)
			t.b = append(t.b, "  "...)
			t.b = append(t.b, t.style.name.on...)
			t.b = append(t.b, label...)
			t.b = append(t.b, t.style.name.off...)
		}
		t.endRow()
		start += len(line)
	}
}

package report

import (
	"bytes"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/exhibit"
)

// A dump shows octets at the left and the field tree at the right, so that the
// octets of a line are the span of its field:
//
//	002a                                                      Base Transport Header (BTH)
//	002a  04                                .                   OpCode: RC SEND Only (0x04)
//	002b  00                                .                   SE: 0, MigReq: 0, PadCnt: 0, TVer: 0
//	002c  ff ff                             ..                  P_Key: 0xffff
//
// Fields that share the same octets, as bits do, share a line. Octets that are
// no field's own have lines without a name.
const dumpWidth = 16 // octets a line

// dump prints an exhibit's octets with its tree.
func (t *Text) dump(e exhibit.Exhibit) {
	at := t.dumpNodes(e.Octets, e.Nodes, 0, 0)
	t.rest(e.Octets, at, len(e.Octets))
}

// dumpNodes prints nodes from octet at on, and returns the octet where what
// was printed ends.
func (t *Text) dumpNodes(octets []byte, nodes []field.Node, at, depth int) int {
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		start, end := min(n.Start, len(octets)), min(max(n.Start, n.End), len(octets))
		t.rest(octets, at, start)
		at = max(at, start)
		if len(n.Children) > 0 {
			t.line(octets, start, start)
			t.spaces(2 * depth)
			t.label(n)
			t.endRow()
			at = t.dumpNodes(octets, n.Children, at, depth+1)
			t.rest(octets, at, end)
			at = max(at, end)
			continue
		}
		first := min(end, start+dumpWidth)
		t.line(octets, start, first)
		t.spaces(2 * depth)
		t.label(n)
		for i+1 < len(nodes) && sharesOctets(n, &nodes[i+1]) {
			i++
			t.b = append(t.b, ", "...)
			t.label(&nodes[i])
		}
		t.endRow()
		t.rest(octets, first, end)
		at = max(at, end)
	}
	return at
}

// sharesOctets reports whether two fields stand in the same octets.
func sharesOctets(a, b *field.Node) bool {
	return len(b.Children) == 0 && a.Start == b.Start && a.End == b.End && a.Start < a.End
}

// rest prints lines of octets that have no name.
func (t *Text) rest(octets []byte, start, end int) {
	for start < end {
		next := min(end, start+dumpWidth)
		t.line(octets, start, next)
		t.b = bytes.TrimRight(t.b, " ")
		t.endRow()
		start = next
	}
}

// line begins a line: the offset, the octets in hexadecimal and as ASCII.
func (t *Text) line(octets []byte, start, end int) {
	const digits = "0123456789abcdef"
	t.spaces(6)
	t.b = append(t.b, t.style.dim.on...)
	shift := 12
	if start > 0xffff {
		shift = 28
	}
	for ; shift >= 0; shift -= 4 {
		t.b = append(t.b, digits[start>>shift&15])
	}
	t.b = append(t.b, t.style.dim.off...)
	t.b = append(t.b, gap...)
	at := len(t.b)
	for _, c := range octets[start:end] {
		t.b = append(t.b, digits[c>>4], digits[c&15], ' ')
	}
	t.spaces(3*dumpWidth - (len(t.b) - at) + 1)
	for _, c := range octets[start:end] {
		if c < ' ' || c > '~' {
			c = '.'
		}
		t.b = append(t.b, c)
	}
	t.spaces(dumpWidth - (end - start))
	t.b = append(t.b, gap...)
}

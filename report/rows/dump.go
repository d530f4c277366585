package rows

import (
	"bytes"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/lines"
)

// A dump shows bytes at the left and the field tree at the right, so that the
// bytes of a line are the span of its field:
//
//	002a                                                      Base Transport Header (BTH)
//	002a  04                                .                   OpCode: RC SEND Only (0x04)
//	002b  00                                .                   SE: 0, MigReq: 0, PadCnt: 0, TVer: 0
//	002c  ff ff                             ..                  P_Key: 0xffff
//
// Fields that share the same bytes, as bits do, share a line. Bytes that are
// no field's own have lines without a name.
const dumpWidth = 16 // bytes a line

// dump prints an exhibit's bytes with its tree.
func (t *Text) dump(e exhibit.Exhibit) {
	at := t.dumpNodes(e.Bytes, e.Nodes, 0, 0)
	t.rest(e.Bytes, at, len(e.Bytes))
}

// dumpNodes prints nodes from byte at on, and returns the byte where what
// was printed ends.
func (t *Text) dumpNodes(data []byte, nodes []field.Node, at, depth int) int {
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		start, end := min(n.Start, len(data)), min(max(n.Start, n.End), len(data))
		t.rest(data, at, start)
		at = max(at, start)
		if len(n.Children) > 0 {
			t.line(data, start, start)
			t.Spaces(2 * depth)
			t.label(n)
			t.End()
			at = t.dumpNodes(data, n.Children, at, depth+1)
			t.rest(data, at, end)
			at = max(at, end)
			continue
		}
		first := min(end, start+dumpWidth)
		t.line(data, start, first)
		t.Spaces(2 * depth)
		t.label(n)
		for i+1 < len(nodes) && sharesBytes(n, &nodes[i+1]) {
			i++
			t.B = append(t.B, ", "...)
			t.label(&nodes[i])
		}
		t.End()
		t.rest(data, first, end)
		at = max(at, end)
	}
	return at
}

// sharesBytes reports whether two fields stand in the same bytes.
func sharesBytes(a, b *field.Node) bool {
	return len(b.Children) == 0 && a.Start == b.Start && a.End == b.End && a.Start < a.End
}

// rest prints lines of bytes that have no name.
func (t *Text) rest(data []byte, start, end int) {
	for start < end {
		next := min(end, start+dumpWidth)
		t.line(data, start, next)
		t.B = bytes.TrimRight(t.B, " ")
		t.End()
		start = next
	}
}

// line begins a line: the offset, the bytes in hexadecimal and as ASCII.
func (t *Text) line(data []byte, start, end int) {
	const digits = "0123456789abcdef"
	t.Spaces(6)
	t.B = append(t.B, t.Style.Dim.On...)
	shift := 12
	if start > 0xffff {
		shift = 28
	}
	for ; shift >= 0; shift -= 4 {
		t.B = append(t.B, digits[start>>shift&15])
	}
	t.B = append(t.B, t.Style.Dim.Off...)
	t.B = append(t.B, lines.Gap...)
	at := len(t.B)
	for _, c := range data[start:end] {
		t.B = append(t.B, digits[c>>4], digits[c&15], ' ')
	}
	t.Spaces(3*dumpWidth - (len(t.B) - at) + 1)
	for _, c := range data[start:end] {
		if c < ' ' || c > '~' {
			c = '.'
		}
		t.B = append(t.B, c)
	}
	t.Spaces(dumpWidth - (end - start))
	t.B = append(t.B, lines.Gap...)
}

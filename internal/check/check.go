// Package check has what the tests of several packages need to look at bytes,
// tables and trees.
package check

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// Hex reads hexadecimal bytes; blanks between them do not count.
func Hex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Outline writes a tree as indented lines: bytes, name, value, fault.
func Outline(nodes []field.Node) string {
	var sb strings.Builder
	var walk func(nodes []field.Node, depth int)
	walk = func(nodes []field.Node, depth int) {
		for _, n := range nodes {
			fmt.Fprintf(&sb, "%s[%d:%d] %s", strings.Repeat("  ", depth), n.Start, n.End, n.Name)
			if n.Value != "" {
				sb.WriteString(": " + n.Value)
			}
			if n.Fault != "" {
				sb.WriteString(" !! " + n.Fault)
			}
			sb.WriteByte('\n')
			walk(n.Children, depth+1)
		}
	}
	walk(nodes, 0)
	return sb.String()
}

// Random makes a header of random bytes.
func Random(rnd *rand.Rand, table *field.Table) []byte {
	b := make([]byte, table.Size())
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

// Scalars holds what was decoded of a header, by the keys of its fields,
// against the header's table: every field, and nothing else.
func Scalars(t testing.TB, table *field.Table, header []byte, values map[string]uint64) {
	t.Helper()
	if len(values) != len(table.Fields) {
		t.Errorf("%s has %d fields, %d are compared", table.Name, len(table.Fields), len(values))
	}
	for key, v := range values {
		if f := table.Lookup(key); f == nil || f.Uint(header) != v {
			t.Errorf("%s.%s differs from %d in % x", table.Key, key, v, header)
		}
	}
}

package rows

import (
	"bytes"
	"slices"
)

// Rows that a program reads have a separator between their cells, and nothing stands between
// them: neither lines about connections nor a summary (RFC 4180).

// quoted puts the cell that stands in b from byte at on in quotes, if it has to be. Of a cell
// with tabs that is so for programs that read TSV as CSV with another separator.
func quoted(b []byte, at int, separator byte) []byte {
	if bytes.IndexByte(b[at:], separator) < 0 && !bytes.ContainsAny(b[at:], "\"\r\n") {
		return b
	}
	for i := at; i < len(b); i++ {
		if b[i] == '"' {
			b = slices.Insert(b, i, '"')
			i++
		}
	}
	b = slices.Insert(b, at, '"')
	return append(b, '"')
}

// none stands for a value that a row does not have: a program finds nothing there.
func (t *Text) none() {
	if t.opts.Separator == 0 {
		t.B = append(t.B, '-')
	}
}

package lines

import (
	"bytes"
	"slices"
)

// Fit breaks the line that B ends with at spaces, where a terminal is too narrow for it; what goes on begins
// with a prefix. A word that is longer than a line stays whole, and what colours text has no width.
func (w *Writer) Fit(prefix string) {
	if w.columns == 0 {
		return
	}
	width := max(w.columns, LeastWidth)
	at := bytes.LastIndexByte(w.B, '\n') + 1
	for {
		space := breakAt(w.B[at:], width)
		if space < 0 {
			return
		}
		begin, end := at+space, at+space+1
		for w.B[begin-1] == ' ' {
			begin--
		}
		for w.B[end] == ' ' {
			end++
		}
		w.B = slices.Replace(w.B, begin, end, append([]byte{'\n'}, prefix...)...)
		at = begin + 1
	}
}

// breakAt is the place of the space at which a line of text is broken that is wider than a page: the last one up to
// there, or else the first. It is -1 for text that fits, or has no space between two words.
func breakAt(text []byte, width int) int {
	last, columns, begun := -1, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0x1b:
			for i < len(text) && text[i] != 'm' {
				i++
			}
		case c == ' ':
			if begun && (columns <= width || last < 0) {
				last = i
			}
			columns++
		case c&0xC0 != 0x80:
			if columns >= width && last >= 0 {
				return last
			}
			begun = true
			columns++
		}
	}
	return -1
}

package lines

import "bytes"

// Cut ends the line that B ends with where a terminal does, with "…" in its last column. What
// colours text has no width, and stays.
func (w *Writer) Cut() {
	if w.columns == 0 {
		return
	}
	at := bytes.LastIndexByte(w.B, '\n') + 1
	line := w.B[at:]
	columns, last, inked := 0, 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == 0x1b:
			reset := bytes.HasPrefix(line[i:], []byte("\x1b[0m"))
			for i < len(line) && line[i] != 'm' {
				i++
			}
			if columns < w.columns {
				inked = !reset
			}
		case c&0xC0 != 0x80:
			if columns == w.columns-1 {
				last = i // where the "…" stands, if more follows
			}
			if columns == w.columns {
				w.B = append(w.B[:at+last], "…"...)
				if inked {
					w.B = append(w.B, "\x1b[0m"...)
				}
				return
			}
			columns++
		}
	}
}

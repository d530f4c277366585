package lines

import (
	"io"

	"github.com/rdmacap/rdmacap/report/words"
)

// A Writer gathers lines. What is written next is appended to B, and ended by End.
type Writer struct {
	B     []byte
	Style Style

	w       io.Writer
	held    bool
	columns int // of the terminal, 0 for none
	err     error
}

// flushAt is how many bytes of lines are gathered before they are written.
const flushAt = 64 << 10

// New returns a Writer that writes to w. It has so many columns for paragraphs, 0 where nobody
// looks at it on a terminal.
func New(w io.Writer, color bool, columns int) Writer {
	return Writer{w: w, Style: newStyle(color), columns: columns, B: make([]byte, 0, flushAt+4096)}
}

// Hold keeps what is gathered until somebody takes it out of B.
func (w *Writer) Hold() { w.held = true }

// Full reports whether so much was gathered that it is time to write it.
func (w *Writer) Full() bool { return len(w.B) >= flushAt }

// Flush writes what was gathered and returns the first error of the writer.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.B) > 0 {
		_, w.err = w.w.Write(w.B)
	}
	w.B = w.B[:0]
	return w.err
}

// Err is the first error of the writer: nobody reads on.
func (w *Writer) Err() error { return w.err }

// End ends a line.
func (w *Writer) End() {
	w.B = append(w.B, '\n')
	if w.Full() && !w.held {
		_ = w.Flush() // Err tells
	}
}

// Spaces appends spaces.
func (w *Writer) Spaces(n int) { w.B = AppendSpaces(w.B, n) }

// Bracket appends text in an ink and in brackets: a remark on the line.
func (w *Writer) Bracket(i words.Ink, text string) {
	w.B = append(w.B, "  ["...)
	w.B = i.Append(w.B, text)
	w.B = append(w.B, ']')
}

// Mark begins lines that stand out from rows, as those about connections; More begins
// those that go on.
const (
	Mark = "── "
	More = "   "
)

package lines

import "strconv"

// A Column is a part of a line: its heading and how wide it is. Text that is wider pushes
// the rest of its line to the right and is never cut.
type Column struct {
	Name  string
	Width int
	Right bool // flush right, as numbers are
}

// Gap is what stands between two columns.
const Gap = "  "

// EndCell pads the text from byte at on to the width of its column.
func (w *Writer) EndCell(at int, c Column) {
	w.B = Pad(w.B, at, c.Width, c.Right)
	w.B = append(w.B, Gap...)
}

// Cell appends a text as a column.
func (w *Writer) Cell(c Column, text string) {
	at := len(w.B)
	w.B = append(w.B, text...)
	w.EndCell(at, c)
}

// UintCell appends a number as a column.
func (w *Writer) UintCell(c Column, v uint64) {
	if !c.Right {
		at := len(w.B)
		w.B = strconv.AppendUint(w.B, v, 10)
		w.EndCell(at, c)
		return
	}
	// The spaces first: nothing has to be moved then.
	w.B = AppendSpaces(w.B, max(0, c.Width-digits(v)))
	w.B = strconv.AppendUint(w.B, v, 10)
	w.B = append(w.B, Gap...)
}

// digits is how many decimal digits a number has.
func digits(v uint64) (n int) {
	for n = 1; v >= 10; v /= 10 {
		n++
	}
	return n
}

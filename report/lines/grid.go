package lines

import (
	"bytes"

	"github.com/rdmacap/rdmacap/report/words"
)

// Grid prints a grid, on a terminal as much of it as there is room for: the first column in the ink of names, the last, of any width, in the
// ink of what is odd.
func (w *Writer) Grid(g *words.Grid) {
	if w.columns > 0 {
		g = g.Within(w.columns-len(More), len(Gap), words.Columns(g.Columns[len(g.Columns)-1].Name))
	}
	cells := make([]Column, len(g.Columns))
	heads := make([]string, len(g.Columns))
	last := len(g.Columns) - 1
	for i, h := range g.Columns {
		heads[i] = h.Name
		cells[i] = Column{h.Name, words.Columns(h.Name), h.Right}
		for _, row := range g.Rows {
			cells[i].Width = max(cells[i].Width, words.Columns(row[i]))
		}
	}
	cells[last].Width = 0
	line := func(row []string, name, odd words.Ink) {
		w.B = append(w.B, More...)
		w.B = append(w.B, name.On...)
		w.Cell(cells[0], row[0])
		w.B = append(w.B, name.Off...)
		for i, text := range row[1:last] {
			w.Cell(cells[1+i], text)
		}
		if row[last] == "" {
			w.B = bytes.TrimRight(w.B, " ")
		} else {
			w.B = odd.Append(w.B, row[last])
		}
		w.Cut()
		w.End()
	}
	w.B = append(w.B, w.Style.Dim.On...)
	line(heads, words.Ink{}, words.Ink{})
	w.B = append(w.B, w.Style.Dim.Off...)
	for _, row := range g.Rows {
		line(row, w.Style.Name, w.Style.Odd)
	}
}

package markup

import (
	"strings"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A Table is rows of cells under the names of their columns. The first cell of a row
// names it.
type Table struct {
	Caption visible.Text
	Columns []Column
	Rows    [][]visible.Text
}

// A Column is the name of a column, and whether there are numbers in it.
type Column struct {
	Name   visible.Text
	Number bool
}

// Inside is the head and the body as HTML. Most of what a page says of connections is
// cells, and a template would take many times as long for them.
func (t *Table) Inside() visible.HTML {
	var b strings.Builder
	cell := func(open, class string, c Column, text visible.Text, end string) {
		b.WriteString(open)
		if c.Number {
			b.WriteString(class)
		}
		b.WriteByte('>')
		b.WriteString(string(text.HTML()))
		b.WriteString(end)
	}
	const number = ` class="number"`
	b.WriteString("<thead><tr>")
	for _, c := range t.Columns {
		cell(`<th scope="col"`, number, c, c.Name, "</th>")
	}
	b.WriteString("</tr></thead>\n<tbody>")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for i, text := range row {
			if i == 0 {
				cell(`<th scope="row"`, "", t.Columns[i], text, "</th>")
			} else {
				cell("<td", number, t.Columns[i], text, "</td>")
			}
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>")
	return visible.HTML(b.String())
}

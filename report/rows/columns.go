package rows

import "github.com/rdmacap/rdmacap/report/lines"

// What a user may have rows show in place of their own columns (listing.Columns).

// headings are the columns that follow number, time and ends, and what stands above what
// ends the row: those of the row, unless the user chose others.
func (t *Text) headings(own []lines.Column, last string) ([]lines.Column, string) {
	if t.opts.Columns == nil {
		return own, last
	}
	var list []lines.Column
	for _, h := range t.opts.Columns.Headings() {
		list = append(list, lines.Column{Name: h.Title, Width: h.Width, Right: h.Right})
	}
	end := list[len(list)-1]
	if end.Right {
		end.Name = string(lines.Pad([]byte(end.Name), 0, end.Width, true))
	}
	return list[:len(list)-1], end.Name
}

// cells appends the columns of the row that t.opts.Columns was given.
func (t *Text) cells() {
	list := t.opts.Columns.Headings()
	for i, h := range list {
		at := len(t.B)
		if t.B = t.opts.Columns.AppendTo(t.B, i); len(t.B) == at {
			t.B = append(t.B, '-')
		}
		if i < len(list)-1 {
			t.EndCell(at, lines.Column{Name: h.Title, Width: h.Width, Right: h.Right})
		} else if h.Right {
			t.B = lines.Pad(t.B, at, h.Width, true)
		}
	}
}

package findings

import (
	"strconv"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// overview prints a table with a row for each rule and severity that was found on any
// connection.
func (x *form) overview(list []*finding.OverviewRow) {
	heads := [...]string{"Rule", "Severity", "Conns", "Times", "Frame", "Worst case"}
	rows := make([][len(heads)]string, 0, len(list)+1)
	rows = append(rows, heads)
	for _, r := range list {
		frame := ""
		if r.First.Number != 0 {
			frame = r.First.Name(x.t.Where().Several)
		}
		rows = append(rows, [...]string{
			r.ID, r.Severity.String(), strconv.FormatInt(r.Connections, 10), strconv.FormatInt(r.Count, 10), frame, lines.Clean(r.Worst),
		})
	}
	var width [len(heads)]int
	for _, r := range rows {
		for i := range r {
			width[i] = max(width[i], words.Columns(r[i]))
		}
	}
	t := x.t
	for n, r := range rows {
		used := 0
		for i, text := range r {
			if i == len(r)-1 {
				t.B = append(t.B, lines.Shorten(text, max(t.Width()-used, lines.LeastWidth/3))...)
				break
			}
			right := i >= 2
			at := len(t.B)
			t.B = append(t.B, text...)
			t.B = lines.Pad(t.B, at, width[i], right)
			if n > 0 && i == 1 {
				plain := string(t.B[at:])
				t.B = x.ink(list[n-1].Severity).Append(t.B[:at], plain)
			}
			t.B = append(t.B, lines.Gap...)
			used += width[i] + len(lines.Gap)
		}
		t.End()
	}
}

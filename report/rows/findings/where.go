package findings

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// where is the frame, the RPC, the direction and the time of a finding.
func (x *form) where(f *finding.Finding) string {
	s := x.t.Where().Frame(f.Frame)
	if n := len(f.Frames) - 1; n > 0 {
		s += fmt.Sprintf(words.NBSP+"(+%d"+words.NBSP+"more)", n)
	}
	if f.HasXID {
		s += ", xid" + words.NBSP + string(words.AppendHandle(nil, f.XID))
	}
	if f.Call != "" {
		s += ", " + f.Call
	}
	if c := f.Connection; f.HasFrom && c != nil {
		s += ", " + words.Sender(c, f.From) + words.NBSP + "→" + words.NBSP + words.Sender(c, f.From.Peer())
	}
	return s + x.t.Where().At(f.Time)
}

// consequence is what followed, and how long after the finding.
func (x *form) consequence(f *finding.Finding, c finding.Consequence) string {
	return x.t.Where().Frame(c.Frame) + words.Later(f, c) + ": " + c.Text
}

// values prints the observed and the expected values, as a table if that is not
// too wide.
func (x *form) values(list []finding.Evidence, prefix string) {
	if len(list) == 0 {
		return
	}
	rows := [][3]string{{"", "observed", "expected"}}
	expected := false
	for _, e := range list {
		row := [3]string{lines.Clean(e.Name), lines.Clean(fmt.Sprint(e.Observed)), ""}
		if e.Expected != nil {
			row[2], expected = lines.Clean(fmt.Sprint(e.Expected)), true
		}
		rows = append(rows, row)
	}
	var width [2]int
	last := 0
	for _, r := range rows {
		for i := range width {
			width[i] = max(width[i], words.Columns(r[i]))
		}
		last = max(last, words.Columns(r[2]))
	}
	p := lines.Paragraph{To: &x.t.Writer, Prefix: prefix}
	if words.Columns(prefix)+lines.LabelWidth+width[0]+width[1]+last+2*len(lines.Gap) > x.t.Width() {
		x.valueLines(rows[1:], &p)
		return
	}
	if !expected {
		rows = rows[1:] // the heading says nothing then
	}
	for i, r := range rows {
		line := cellOf(r[0], width[0]) + cellOf(r[1], width[1]) + r[2]
		label := " "
		if i == 0 {
			label = "values"
		}
		p.Line(label, strings.TrimRight(line, " "))
	}
}

// valueLines prints a paragraph for each value.
func (x *form) valueLines(rows [][3]string, p *lines.Paragraph) {
	for i, r := range rows {
		label, text := " ", r[0]+": observed "+r[1]
		if i == 0 {
			label = "values"
		}
		if r[2] != "" {
			text += ", expected " + r[2]
		}
		p.Write(label, text)
	}
}

func cellOf(s string, width int) string {
	return string(lines.Pad([]byte(s), 0, width, false)) + lines.Gap
}

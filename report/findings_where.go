package report

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
)

// frameName names a frame.
func (x *findingsText) frameName(r flow.Ref) string {
	return "frame" + nbsp + r.Name(x.t.opts.Files > 1)
}

// at is a time, as the rows of `rdmacap read` have it; "" if the file has none.
func (x *findingsText) at(ns int64) string {
	if ns == 0 {
		return ""
	}
	return ", at" + nbsp + string(appendSeconds(nil, ns-x.t.start)) + nbsp + "s"
}

// where is the frame, the RPC, the direction and the time of a finding.
func (x *findingsText) where(f *rules.Finding) string {
	s := x.frameName(f.Frame)
	if n := len(f.Frames) - 1; n > 0 {
		s += fmt.Sprintf(nbsp+"(+%d"+nbsp+"more)", n)
	}
	if f.HasXID {
		s += ", xid" + nbsp + string(appendHandle(nil, f.XID))
	}
	if f.Call != "" {
		s += ", " + f.Call
	}
	if c := f.Connection; f.HasFrom && c != nil {
		s += ", " + sender(c, f.From) + nbsp + "→" + nbsp + sender(c, f.From.Peer())
	}
	return s + x.at(f.Time)
}

// octets are those at fault; "" if none are.
func (x *findingsText) octets(f *rules.Finding) string {
	var parts []string
	for _, p := range f.Octets {
		parts = append(parts, fmt.Sprintf("%s: %s from offset %d", x.frameName(p.Ref), appendCount(nil, int64(p.Length), "octet"), p.Offset))
	}
	return strings.Join(parts, "; ")
}

// consequence is what followed, and how long after the finding.
func (x *findingsText) consequence(f *rules.Finding, c rules.Consequence) string {
	s := x.frameName(c.Frame)
	if c.Time != 0 && f.LastTime != 0 && c.Time >= f.LastTime {
		s += ", " + string(field.AppendDuration(nil, c.Time-f.LastTime)) + " later"
	}
	return s + ": " + c.Text
}

// values prints the observed and the expected values, as a table if that is not
// too wide.
func (x *findingsText) values(list []rules.Evidence, prefix string) {
	if len(list) == 0 {
		return
	}
	rows := [][3]string{{"", "observed", "expected"}}
	expected := false
	for _, e := range list {
		row := [3]string{clean(e.Name), clean(fmt.Sprint(e.Observed)), ""}
		if e.Expected != nil {
			row[2], expected = clean(fmt.Sprint(e.Expected)), true
		}
		rows = append(rows, row)
	}
	var width [2]int
	last := 0
	for _, r := range rows {
		for i := range width {
			width[i] = max(width[i], columns(r[i]))
		}
		last = max(last, columns(r[2]))
	}
	p := paragraph{t: x.t, prefix: prefix}
	if columns(prefix)+labelWidth+width[0]+width[1]+last+2*len(gap) > pageWidth {
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
		p.line(label, strings.TrimRight(line, " "))
	}
}

// valueLines prints a paragraph for each value.
func (x *findingsText) valueLines(rows [][3]string, p *paragraph) {
	for i, r := range rows {
		label, text := " ", r[0]+": observed "+r[1]
		if i == 0 {
			label = "values"
		}
		if r[2] != "" {
			text += ", expected " + r[2]
		}
		p.write(label, text)
	}
}

func cellOf(s string, width int) string {
	return string(pad([]byte(s), 0, width, false)) + gap
}

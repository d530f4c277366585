package report

import (
	"io"
	"strconv"

	"github.com/rdmacap/rdmacap/report/rules"
)

// findingsBrief writes a line for each finding, as compilers have them, so that editors and
// scripts find their way: a cause before what it explains, then the verdict on all.
type findingsBrief struct {
	*findingsText
	names []string
}

// NewFindingsBrief returns Findings that write a line each to w.
func NewFindingsBrief(w io.Writer, o CheckOptions) *Findings {
	return newFindings(&findingsBrief{newFindingsText(w, o), o.Names}, o)
}

func (x *findingsBrief) found(f *found) {
	f.all(func(one *rules.Finding) {
		x.brief(one, x.names)
		if one.Count > 1 {
			x.t.b = append(x.t.b, " (found "...)
			x.t.b = appendCount(x.t.b, one.Count, "time")
			x.t.b = append(x.t.b, ')')
		}
		x.t.endRow()
	})
}

// brief appends "file:frame: severity: RULE: message". What no frame shows has only the
// file, and not even that where there are several.
func (x *findingsText) brief(f *rules.Finding, names []string) {
	t := x.t
	switch {
	case f.Frame.Number != 0:
		t.b = append(t.b, names[f.Frame.File]...)
		t.b = append(t.b, ':')
		t.b = strconv.AppendInt(t.b, f.Frame.Number, 10)
		t.b = append(t.b, ": "...)
	case len(names) == 1:
		t.b = append(t.b, names[0]...)
		t.b = append(t.b, ": "...)
	}
	t.b = x.ink(f.Severity).append(t.b, f.Severity.String())
	t.b = append(t.b, ": "...)
	t.b = append(t.b, f.ID()...)
	t.b = append(t.b, ": "...)
	t.b = append(t.b, f.Message...)
}

package findings

import (
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// briefForm writes a line for each finding, as compilers have them, so that editors and
// scripts find their way: a cause before what it explains, then the verdict on all.
type briefForm struct {
	*form
	names []string
}

// NewBrief returns a form that writes a line each to w.
func NewBrief(w io.Writer, o listing.Options) draft.Form {
	x := newForm(w, o)
	return x.as(&briefForm{x, o.Names})
}

// Found implements finding.Form.
func (x *briefForm) Found(f *finding.Found) {
	f.All(func(one *finding.Finding) {
		x.brief(one, x.names)
		if one.Count > 1 {
			x.t.B = append(x.t.B, " (found "...)
			x.t.B = words.AppendCount(x.t.B, one.Count, "time")
			x.t.B = append(x.t.B, ')')
		}
		x.t.Fit(lines.More) // nobody but a person reads what a terminal has to break
		x.t.End()
	})
}

// End implements finding.Form.
func (x *briefForm) End(e *finding.Ending) error {
	if !x.quiet {
		x.counts(e)
	}
	return x.t.Flush()
}

// brief appends "file:frame: severity: RULE: message". What no frame shows has only the
// file, and not even that where there are several.
func (x *form) brief(f *finding.Finding, names []string) {
	t := x.t
	switch {
	case f.Frame.Number != 0:
		t.B = appendName(t.B, names[f.Frame.File])
		t.B = append(t.B, ':')
		t.B = strconv.AppendInt(t.B, f.Frame.Number, 10)
		t.B = append(t.B, ": "...)
	case len(names) == 1:
		t.B = appendName(t.B, names[0])
		t.B = append(t.B, ": "...)
	}
	t.B = x.ink(f.Severity).Append(t.B, f.Severity.String())
	t.B = append(t.B, ": "...)
	t.B = append(t.B, f.ID()...)
	t.B = append(t.B, ": "...)
	t.B = append(t.B, f.Message...)
}

// appendName appends the name of a file so that the line it begins is no command to a CI system
// that reads it: GitHub takes a line for one that has :: after any white space at its start.
func appendName(b []byte, name string) []byte {
	if strings.HasPrefix(strings.TrimLeftFunc(name, unicode.IsSpace), "::") {
		b = append(b, "./"...)
	}
	return field.AppendVisible(b, name)
}

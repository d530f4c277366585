package findings

import (
	"bytes"
	"io"
	"strings"

	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/words"
)

// A form writes findings for a person when all connections are over: the verdict, a table of
// what was found on all of them, then each, what hurts most first, with what it led to
// below it, and what each connection came to.
type form struct {
	t      *rows.Text
	opts   listing.Options
	quiet  bool
	digest digest
	// aside is where lines are made that have to be broken before they are printed.
	aside *rows.Text
	made  bytes.Buffer
}

func newForm(w io.Writer, o listing.Options) *form {
	x := &form{t: rows.NewText(w, o), opts: o, quiet: o.Quiet}
	plain := o
	plain.Color = false
	x.aside = rows.NewText(&x.made, plain)
	return x
}

// as is a form that writes by x, with what it needs.
func (x *form) as(f finding.Form) draft.Form {
	return draft.Form{Form: f, Out: x.t, Starts: x.t.Begin}
}

// text is what something prints, without colour.
func (x *form) text(print func(t *rows.Text)) string {
	print(x.aside)
	_ = x.aside.Flush() // into memory: it cannot fail
	text := x.made.String()
	x.made.Reset()
	return strings.TrimSuffix(text, "\n")
}

func (x *form) ink(s finding.Severity) words.Ink { return x.t.Style.Of(s) }

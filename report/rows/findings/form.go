package findings

import (
	"io"

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
	failOn finding.Severity
	judges bool // the exit status says what was found
	digest digest
}

func newForm(w io.Writer, o listing.Options) *form {
	return &form{t: rows.NewText(w, o), opts: o, quiet: o.Quiet, digest: digest{texts: newTexts()}}
}

// as is a form that writes by x, with what it needs.
func (x *form) as(f finding.Form) draft.Form {
	return draft.Form{Form: f, Out: x.t, Starts: x.t.Begin}
}

func (x *form) ink(s finding.Severity) words.Ink { return x.t.Style.Of(s) }

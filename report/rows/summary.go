package rows

import (
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// Finish prints the summary line and writes everything out.
func (t *Text) Finish(s dissect.Summary, elapsed time.Duration) error {
	if t.opts.Quiet {
		return t.Flush()
	}
	t.B = append(t.B, t.Style.Heading.On...)
	if !t.selection.All {
		n, noun := listing.Listed(t.opts.Level, &s)
		t.B = strconv.AppendInt(t.B, t.selection.Count(), 10)
		t.B = append(t.B, " of "...)
		t.B = words.AppendCount(t.B, n, noun)
		t.B = append(t.B, " shown; "...)
	}
	t.B = words.AppendExtent(t.B, &s)
	t.B = append(t.B, t.Style.Heading.Off...)
	t.B = words.AppendRead(t.B, t.Style.Inks(), &s, elapsed)
	t.End()
	return t.Flush()
}

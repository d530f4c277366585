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
	t.listSorted()
	if t.opts.Separator != 0 {
		t.heading() // a table without rows has one, too
	}
	if t.opts.Quiet || t.opts.Separator != 0 {
		return t.Flush()
	}
	t.B = append(t.B, t.Style.Heading.On...)
	t.B = t.AppendShown(t.B, &s)
	t.B = words.AppendExtent(t.B, &s)
	t.B = append(t.B, t.Style.Heading.Off...)
	t.B = words.AppendRead(t.B, t.Style.Inks(), &s, elapsed)
	t.endFit()
	return t.Flush()
}

// AppendShown appends how many rows a filter let through, if there is one: "12 of 566 RPCs
// shown; ".
func (t *Text) AppendShown(b []byte, s *dissect.Summary) []byte {
	n, noun := listing.Listed(t.opts.Level, s)
	shown := t.shown()
	if t.selection.All && (t.sorted == nil || shown == n) {
		return b
	}
	b = strconv.AppendInt(b, shown, 10)
	b = append(b, " of "...)
	b = words.AppendCount(b, n, noun)
	return append(b, " shown; "...)
}

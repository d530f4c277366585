package rows

import (
	"time"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// timeOfRow is the column of the time of a row: of what it is about.
func timeOfRow(doc string) head {
	return head{
		Column: lines.Column{Name: "Time [s]", Width: 11, Right: true}, narrow: 10, name: "time", field: "frame.time", doc: doc, faint: true,
		placed: func(t *Text, b *draft.Placeholder) { t.timeAs(b.Time, t.opts.Times) },
	}
}

// sinceRow is the column of how much later a row is than the one before.
func sinceRow() head {
	return head{
		Column: lines.Column{Name: "Delta [s]", Width: 11, Right: true}, narrow: 9, name: "delta", doc: "seconds since the previous row", when: never, faint: true,
		placed: func(t *Text, b *draft.Placeholder) { t.timeAs(b.Time, listing.Delta) },
	}
}

// timeAs makes the column of times one of times that are written so.
func timeAs(h *head, as listing.Times) {
	switch as {
	case listing.Delta:
		h.Name, h.narrow = "Delta [s]", 0
	case listing.Absolute, listing.UTC:
		h.Name, h.Width, h.narrow, h.Right = "Time (UTC)", len("2026-01-31 15:04:05.000000"), 0, false
		if as == listing.Absolute {
			h.Name = "Time (local)"
		}
	case listing.Epoch:
		h.Name, h.Width, h.narrow = "Time since 1970 [s]", len("1770000000.000000"), 0
	}
}

// timeAs appends a time in nanoseconds since 1970, 0 if there is none.
func (t *Text) timeAs(ns int64, as listing.Times) {
	if ns == 0 {
		t.none() // the file has no time for the frame
		return
	}
	switch as {
	case listing.Delta:
		t.seconds(t.between)
	case listing.Epoch:
		t.seconds(ns)
	case listing.Absolute:
		t.dateAndTime(time.Unix(0, ns))
	case listing.UTC:
		t.dateAndTime(time.Unix(0, ns).UTC())
	default:
		t.seconds(ns - t.start)
	}
}

// seconds appends a length of time in seconds: microseconds are enough for a person.
func (t *Text) seconds(ns int64) {
	if t.opts.Separator == 0 {
		t.B = words.AppendSeconds(t.B, ns)
		return
	}
	t.B = field.AppendSeconds(t.B, ns)
}

// dateAndTime appends a date and the time of day, for programs with the time zone.
func (t *Text) dateAndTime(at time.Time) {
	if t.opts.Separator == 0 {
		t.B = at.AppendFormat(t.B, "2006-01-02 15:04:05.000000")
		return
	}
	t.B = at.AppendFormat(t.B, "2006-01-02T15:04:05.000000000Z07:00")
}

// Passed says that something was captured at a time, in nanoseconds since 1970, that has no row: the
// next row counts from there how much later it is.
func (t *Text) Passed(ns int64) {
	if ns != 0 {
		t.before = ns
	}
}

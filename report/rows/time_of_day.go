package rows

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// stampWidth is the width of "15:04:05.000". One space follows it, so that a row with the time of day, which
// begins with that, is as wide as one with seconds.
const stampWidth = len("15:04:05.000")

// A day is the date that the lines are of, which is told when it changes.
type day struct {
	written  bool
	midnight int64 // when it began, in nanoseconds since 1970, UTC
	// newest is the newest time of a line, 0 if none had one.
	newest int64
}

// lateLines is for how long a line of the day before may come after midnight without telling the date
// again: an RPC's row has the time of its call, and comes when it is over.
const lateLines = words.Day / 2

// is reports whether a time goes without saying the date, once the date was told.
func (d *day) is(ns int64) bool {
	return d.written && ns >= d.midnight-lateLines && ns < d.midnight+words.Day
}

// Stamp begins a line with the time of day of nanoseconds since 1970, where rows have that; 0 is the
// newest time of a line before it. If the date is another than before, a line reports it first.
func (t *Text) Stamp(ns int64) {
	if t.opts.TimeOfDay {
		t.place(draft.Placeholder{What: draft.Stamp, Time: ns})
	}
}

// EndStamped ends a line that Stamp began: on a terminal that is too narrow for it, it is broken at spaces,
// unless findings are to have a line each.
func (t *Text) EndStamped() {
	if t.opts.Width > 0 && (t.opts.TimeOfDay || !t.opts.Brief) {
		t.place(draft.Placeholder{What: draft.Whole})
	}
	t.End()
}

// Newest is the newest time with which a line began, 0 if none did.
func (t *Text) Newest() int64 { return t.day.newest }

// stamp is what Stamp leaves a place for.
func (t *Text) stamp(ns int64) {
	if ns == 0 {
		ns = t.day.newest
	}
	t.date(ns)
	t.timeOfDay(ns)
}

// date prints the date of a line, unless that goes without saying.
func (t *Text) date(ns int64) {
	if ns == 0 || !t.opts.TimeOfDay {
		return
	}
	d := &t.day
	d.newest = max(d.newest, ns)
	if d.is(ns) {
		return
	}
	d.written, d.midnight = true, words.Midnight(ns)
	t.timeOfDay(ns)
	t.B = append(t.B, lines.Mark...)
	t.B = words.AppendDate(t.B, ns)
	t.B = append(t.B, ", times are UTC"...)
	t.End()
}

// timeOfDay appends the time of a row or line, where they begin with that.
func (t *Text) timeOfDay(ns int64) {
	if !t.opts.TimeOfDay {
		return
	}
	t.B = append(t.B, t.Style.Dim.On...)
	if ns == 0 {
		t.timeCell("-") // the file has no time for the frame
	} else {
		t.B = words.AppendTimeOfDay(t.B, ns)
		t.B = append(t.B, ' ')
	}
	t.B = append(t.B, t.Style.Dim.Off...)
}

// timeCell appends text in place of a time of day.
func (t *Text) timeCell(text string) {
	at := len(t.B)
	t.B = append(t.B, text...)
	t.B = lines.Pad(t.B, at, stampWidth, false)
	t.B = append(t.B, ' ')
}

// closingTime is when a connection ended; of one that did not, how late it is when that is told.
func (t *Text) closingTime(c *dissect.Connection) int64 {
	switch {
	case c.Closing != flow.Open && c.Closing != flow.Replaced:
		return c.LastTime
	case t.deferred != nil:
		return max(t.deferred.Newest(), c.LastTime)
	}
	return max(t.now, c.LastTime)
}

// Tick implements dissect.Ticker: time goes by without frames.
func (t *Text) Tick(now int64) { t.now = max(t.now, now) }

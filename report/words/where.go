package words

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Where says where in the captures something is.
type Where struct {
	// Several says that there are several captures: frames are named with their file.
	Several bool
	// Start is the time that others count from, in nanoseconds since 1970.
	Start int64
	// TimeOfDay has times of day, in UTC, in place of those that count from Start.
	TimeOfDay bool
}

// Frame names a frame.
func (w Where) Frame(r flow.Ref) string { return "frame" + NBSP + r.Name(w.Several) }

// At is a time, as the rows beside it have it; "" if the file has none.
func (w Where) At(ns int64) string {
	switch {
	case ns == 0:
		return ""
	case w.TimeOfDay:
		return ", at" + NBSP + string(AppendTimeOfDay(nil, ns))
	}
	return ", at" + NBSP + string(AppendSeconds(nil, ns-w.Start)) + NBSP + "s"
}

// Bytes are those at fault; "" if none are.
func (w Where) Bytes(f *finding.Finding) string {
	var parts []string
	for _, p := range f.Bytes {
		parts = append(parts, fmt.Sprintf("%s: %s from offset %d", w.Frame(p.Ref), AppendCount(nil, int64(p.Length), "byte"), p.Offset))
	}
	return strings.Join(parts, "; ")
}

// Later is how long after a finding a consequence came, ", 1.5 ms later"; "" if that is not
// known.
func Later(f *finding.Finding, c finding.Consequence) string {
	if c.Time == 0 || f.LastTime == 0 || c.Time < f.LastTime {
		return ""
	}
	return ", " + string(field.AppendDuration(nil, c.Time-f.LastTime)) + " later"
}

package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// LastSeen is the newest that was captured of an end. Times are in nanoseconds since 1970,
// 0 for never.
type LastSeen struct {
	// Frame is its newest frame, at Time; Carried is when the newest came that was
	// Carrying.
	Frame         flow.Ref
	Time, Carried int64
}

// note takes a frame of the end.
func (l *LastSeen) note(v *dissect.FrameView, class FrameClass) {
	l.Frame, l.Time = v.Frame.Ref(), v.Frame.Time
	if class&Carrying != 0 {
		l.Carried = max(l.Carried, v.Frame.Time)
	}
}

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
	// Sent is the PSN of the newest packet of a Send, Acked the one that it
	// acknowledged last, if there was any.
	Sent, Acked       uint32
	HasSent, HasAcked bool
}

// note takes a frame of the end.
func (l *LastSeen) note(v *dissect.FrameView, class FrameClass) {
	l.Frame, l.Time = v.Frame.Ref(), v.Frame.Time
	if class&Carrying != 0 {
		l.Carried = max(l.Carried, v.Frame.Time)
	}
	if class&(Sending|Datagram) == Sending {
		l.Sent, l.HasSent = v.IB.PSN, true
	}
	if class&(Acknowledging|Refusing) == Acknowledging {
		l.Acked, l.HasAcked = v.IB.PSN, true
	}
}

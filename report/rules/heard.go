package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// Heard is the newest that was heard of an end. Times are in nanoseconds since 1970,
// 0 for never.
type Heard struct {
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
func (h *Heard) note(v *dissect.FrameView, class FrameClass) {
	h.Frame, h.Time = v.Frame.Ref(), v.Frame.Time
	if class&Carrying != 0 {
		h.Carried = max(h.Carried, v.Frame.Time)
	}
	if class&(Sending|Datagram) == Sending {
		h.Sent, h.HasSent = v.IB.PSN, true
	}
	if class&(Acknowledging|Refusing) == Acknowledging {
		h.Acked, h.HasAcked = v.IB.PSN, true
	}
}

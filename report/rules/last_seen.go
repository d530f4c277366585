package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// LastSeen is the newest that was captured of an end. Times are in nanoseconds since 1970,
// 0 for never.
type LastSeen struct {
	// Frame is its newest frame, at Time; Carried is when the newest came that was
	// Carrying.
	Frame         flow.Ref
	Time, Carried int64
	// New is the newest frame that the end did not send again; RightICRC says that some
	// frame had a right ICRC.
	New       flow.Moment
	RightICRC bool
}

// note takes a frame of the end.
func (l *LastSeen) note(v *dissect.FrameView, class FrameClass) {
	l.Frame, l.Time = v.Frame.Ref(), v.Frame.Time
	if class&Carrying != 0 {
		l.Carried = max(l.Carried, v.Frame.Time)
	}
	if class&Datagram == 0 && (v.Verdict.Note == flow.InOrder || isNew(v)) {
		l.New = flow.Moment{Ref: l.Frame, Time: l.Time}
	}
	if v.IB != nil && v.IB.Check == rocev2.ICRCRight {
		l.RightICRC = true
	}
}

// isNew reports whether a frame is one that its sender did not send again, and that the
// receiver takes; a response is even if it is asked for again.
func isNew(v *dissect.FrameView) bool {
	switch v.Verdict.Note {
	case flow.Duplicate, flow.Corrupt:
		return v.IB == nil
	case flow.Retransmission, flow.LostOnWire:
		return v.IB != nil && !v.IB.OpCode.IsRequest()
	}
	return true
}

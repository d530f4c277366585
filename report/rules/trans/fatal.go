package trans

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// fatal are the NAKs of an end after which its peer may send no more: its queue pair is to be in the error state
// (InfiniBand Architecture 1.3, volume 1, section 9.9.2.2).
type fatal struct {
	// n counts NAKs between which the peer went on: what was on its way when the first came is refused too.
	n        int
	last     flow.Moment
	syndrome rocev2.Syndrome
	psn      uint32
	goesOn   bool // the peer sent a request again since the last
}

// onItsWay is how long after a NAK what its receiver sent before that may still come to the capture, in nanoseconds.
const onItsWay = int64(100 * time.Millisecond)

// isFatal reports whether a NAK ends the connection.
func isFatal(s rocev2.Syndrome) bool {
	switch s {
	case rocev2.NAKInvalidRequest, rocev2.NAKRemoteAccessError, rocev2.NAKRemoteOperationalError, rocev2.NAKInvalidRDRequest:
		return true
	}
	return false
}

// refused takes a NAK, and reports whether what it refuses is new, and was sent long after two that were fatal.
func (f *fatal) refused(r *refusal) (goesOn bool) {
	if !isFatal(r.syndrome) {
		return false
	}
	isNew := f.n > 0 && r.request != nil && r.request.Time-f.last.Time >= onItsWay
	goesOn = f.n > 1 && isNew
	if f.n == 0 || f.goesOn || isNew {
		f.n++
		f.last, f.syndrome, f.psn, f.goesOn = rules.Moment(r.v), r.syndrome, r.psn, false
	}
	return goesOn
}

// goesOn reports whether a packet that is retransmitted is what TRANS-022 reports, or a response to that.
func (w *wire) goesOn(v *dissect.FrameView) bool {
	if w.refusals == nil {
		return false
	}
	from := v.Verdict.From & 1
	if v.IB.OpCode.IsResponse() {
		return w.refusals.fatal[from].n > 0
	}
	return w.refusals.fatal[from^1].n > 1
}

// afterFatal reports whether a packet that is retransmitted comes after a fatal NAK: of its receiver, or of its sender
// where it is a response. Nothing shows that it was lost.
func (w *wire) afterFatal(v *dissect.FrameView) bool {
	if w.refusals == nil {
		return false
	}
	from := v.Verdict.From & 1
	if v.IB.OpCode.IsResponse() {
		return w.refusals.fatal[from].n > 0
	}
	f := &w.refusals.fatal[from^1]
	f.goesOn = f.n > 0
	return f.goesOn
}

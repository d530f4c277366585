package trans

import (
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A wait is how long a requester is to wait for an end that is not ready, and how it
// does not (IBA 9.7.5.2.8). Times are in nanoseconds, of the tap: from the RNR NAK to the
// repetition it sees what the requester waits, and the way to it and back.
type wait struct {
	on    bool
	psn   uint32      // of the request that was refused
	since flow.Moment // the first RNR NAK after the request went last
	timer int64       // the least that it or one after it asked for
	sent  int64       // when the request went last
	// early are the repetitions of this PSN in a row that came too early, begun the first
	// RNR NAK before them.
	early    int
	begun    int64
	tooEarly // what is to be told
}

// tooEarly is a request that went again sooner than its receiver allowed.
type tooEarly struct {
	at      flow.Moment // none if there was none
	nak     flow.Ref
	refused uint32 // PSN
	waited  int64
	allowed int64
	tries   int   // in a row,
	within  int64 // from the first RNR NAK on
}

// tick is the longest tick of a timer: kernels whose clock interrupts a hundred times in a
// second end a wait up to that much early.
const tick = int64(10 * time.Millisecond)

// proven reports whether a timer that runs in ticks does not explain it.
func (x *tooEarly) proven() bool { return x.waited+tick < x.allowed }

// worse reports whether it is rather to be told than another one: proven, or the longer row. What is
// not proven is told only if it came in less than half the time.
func (x *tooEarly) worse(than *tooEarly) bool {
	if x.proven() != than.proven() {
		return x.proven()
	}
	return x.tries > than.tries && (x.proven() || x.waited < x.allowed/2)
}

// refuse takes an RNR NAK.
func (w *wait) refuse(r *refusal) {
	timer := int64(r.syndrome.RNRTimer())
	switch {
	case r.request == nil:
		w.on, w.early = false, 0
		return
	case w.on && w.psn == r.psn:
		w.timer = min(w.timer, timer) // of a copy that was on its way: it still waits for the first
		return
	case w.psn != r.psn:
		w.early, w.sent = 0, r.request.Time
	}
	if w.early == 0 {
		w.begun = r.v.Frame.Time
	}
	w.on, w.psn, w.timer, w.since = true, r.psn, timer, rules.Moment(r.v)
}

// repeat takes what a requester sends again.
func (w *wait) repeat(c *rules.Conn, v *dissect.FrameView) {
	if !w.on || v.IB.PSN != w.psn {
		return
	}
	now := v.Frame.Time
	waited, last := now-w.since.Time, w.sent
	w.sent = now
	if waited <= 0 {
		return
	}
	if waited >= w.timer*3/4 {
		w.on, w.early = false, 0
		return
	}
	end := v.Verdict.From&1 ^ 1
	if t := int64(setup.AckTimeout(c)); t > 0 && now-last >= t || wireOf(c).refusals.naks[end].Time >= last {
		return // it may have been on its way when the RNR NAK came, or the RNR NAK got lost
	}
	w.on = false
	w.early++
	x := tooEarly{rules.Moment(v), w.since.Ref, w.psn, waited, w.timer, w.early, now - w.begun}
	if x.worse(&w.tooEarly) {
		w.tooEarly = x
	}
}

// early003 reports an end that does not wait for a receiver that is not ready. It does so when the
// connection is over: that the directions are not in step may show late.
func early003(c *rules.Conn, w *wait, end flow.End, report rules.Reporter) {
	// Where frames were captured twice, a copy that comes late looks like a repetition.
	if w.at.Ref.Number == 0 || c.Duplicates > 0 || c.Disordered() || c.OneDirection() || c.LostAnyOf(end, w.nak) {
		return
	}
	doubt, untimed := "", c.BeganLate() || handshakeOf(c, 0) == nil
	if untimed && w.tries < 2 {
		return // it may have sent it again after a time-out, before the RNR NAK came
	}
	switch {
	case untimed:
		doubt = finding.DoubtLate // the ACK timeout is not known, after which it might go again
	case c.Lossy():
		doubt = finding.DoubtLoss
	case !w.proven():
		doubt = finding.DoubtTick
	}
	from := end.Peer()
	f := report.Moment("c", w.at.Ref, w.at.Time, &from, doubt)
	if f == nil {
		return
	}
	waited, allowed := finding.Nanoseconds(w.waited), rules.Duration(w.allowed)
	f.AtOnce()
	f.Messagef("the %s retransmits PSN %d %s after the RNR NAK in frame %s, which requires a wait of %s", c.Sender(from), w.refused, rules.Duration(w.waited), c.Capture.FrameName(w.nak), allowed)
	if w.tries > 1 {
		f.Message += fmt.Sprintf("; it retries %d times within %s", w.tries, rules.Duration(w.within))
		f.See("tries in a row that came too early", w.tries, nil)
	}
	f.See("wait after the RNR NAK", waited, finding.Nanoseconds(w.allowed)).See("PSN", w.refused, nil).With(w.nak)
}

// isRequest reports whether a frame is a request of a connection.
func isRequest(ib *rocev2.Packet) bool {
	return ib != nil && ib.OpCode.IsRequest() && ib.OpCode.Transport() != rocev2.TransportUD
}

package cm

import (
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func cm010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		On:          []rules.Event{rules.OnFrame(rules.OutOfOrdinary, frame010), rules.OnEnd(end010)},
	}
}

// longTimeout is the highest Local ACK Timeout, an exponent, that is not told: 1.07 s.
const longTimeout = 18

// frame010 notes that an end waited for so long before it sent a packet again.
func frame010(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	t := &c.Handshake.Declared[0]
	if v.IB == nil || v.IB.OpCode.Transport() == rocev2.TransportUD || !v.IB.OpCode.IsRequest() || !t.AckTimeout.Known || t.AckTimeout.Value <= longTimeout {
		return
	}
	switch v.Verdict.Note {
	case flow.Retransmission, flow.LostOnWire:
	default:
		return
	}
	const least = int64(time.Second)
	if carried := c.LastSeen(v.Verdict.From).Carried; carried > 0 && v.Frame.Time-carried >= least {
		state.Of(c).waited = true
	}
}

// end010 looks at the timers that the two ends asked for.
func end010(c *rules.Conn, report rules.Reporter) {
	if c.IWARP() || c.BeganLate() || !c.Established {
		return
	}
	t := &c.Handshake.Declared[0]
	k := state.IfAny(c)
	waited := k != nil && k.waited
	if x := t.AckTimeout; t.Whole && x.Known {
		const unit = 4096 * time.Nanosecond
		switch {
		case x.Value == 0:
			report010(c, report, "a", 0, x, "waits forever for an acknowledgement: its Local ACK Timeout is 0", "Local ACK Timeout", "above 0")
		case x.Value > longTimeout && waited:
			report010(c, report, "b", 0, x, "waits "+rules.Duration(int64(unit<<x.Value))+" for an acknowledgement before it retransmits a packet", "Local ACK Timeout, as a power of two", fmt.Sprintf("at most %d", longTimeout))
		}
	}
	if x := t.Retry; t.Whole && x.Known && x.Value == 0 {
		report010(c, report, "c", 0, x, "requests no retransmission after a timeout: its retry count is 0", "retry count", "above 0")
	}
	for e := range flow.End(2) {
		t := &c.Handshake.Declared[e]
		if x := t.RNRRetry; t.Whole && x.Known && x.Value == 0 && c.RNRs > 0 {
			report010(c, report, "d", e, x, "requests no retransmission after an RNR NAK: its RNR retry count is 0", "RNR retry count", "above 0")
		}
	}
}

// report010 reports a timer that an end asked for.
func report010(c *rules.Conn, report rules.Reporter, letter string, e flow.End, x flow.Term, text, name, expected string) {
	t := &c.Handshake.Declared[e]
	report.Moment(letter, t.Frame, t.Time, &e, "").
		Messagef("the %s %s", c.Sender(e), text).See(name, x.Value, expected).At(t.Place(x))
}

package requests

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Refusal is what a receiver said instead of accepting a Send: a NAK, other than
// one that asks for it again, or a Terminate.
type Refusal struct {
	// Sent is the Send that is refused.
	Sent  *Request
	From  flow.End
	Frame flow.Ref
	Time  int64
	// Text is what it reported.
	Text string
	// Doubt is why it may be about another Send that is missing from the capture, "" for nothing.
	Doubt string
	// Syndrome and PSN are those of the NAK; Termination is the Terminate, nil if it
	// is a NAK.
	Syndrome    rocev2.Syndrome
	PSN         uint32
	Termination *iwarp.Termination
	// TooLong says that it was expressly that the message is too long, Invalid that
	// the request was invalid, for which there are other reasons too. Unclear says that it was
	// for another reason by which some adapters also refuse a message that is too long:
	// Soft-RoCE calls that a remote operational error, and Soft-iWARP says that there is no buffer.
	TooLong, Invalid, Unclear bool
	// Place is that of the syndrome, of no length if that is in no frame.
	Place flow.Place
}

// OfLength reports whether the Send may have been refused for its length.
func (r *Refusal) OfLength() bool { return r.TooLong || r.Invalid }

// Find begins a finding about it, with the Send; likely for the doubt, or that of the Refusal.
func (r *Refusal) Find(report rules.Reporter, letter, doubt string) *rules.Finding {
	f := report.Moment(letter, r.Frame, r.Time, &r.From, cmp.Or(doubt, r.Doubt))
	if f != nil {
		f.XID, f.HasXID = r.Sent.XID, r.Sent.HasXID
		f.At(r.Place).With(r.Sent.Frame)
	}
	return f
}

// OnRefusal calls do for a Send that was refused, before any rule receives the frame.
func OnRefusal(do func(c *rules.Conn, r *Refusal, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

func (x *Record) nak(c *rules.Conn, v *dissect.FrameView, syndrome rocev2.Syndrome) {
	if !syndrome.IsNAK() || syndrome == rocev2.NAKPSNSequenceError {
		return
	}
	if r := x.Find(v.Verdict.From.Peer(), v.IB.PSN); r != nil && r.Message {
		at := rules.Ref(v)
		if !r.WasAcknowledged(c) {
			x.refused(c, r)
		}
		rules.Raise(c, 0, &Refusal{
			Sent: r, From: v.Verdict.From, Frame: at, Time: v.Frame.Time, Text: syndrome.String(), Syndrome: syndrome, PSN: v.IB.PSN,
			Invalid: syndrome == rocev2.NAKInvalidRequest, Unclear: syndrome == rocev2.NAKRemoteOperationalError, Place: flow.Place{Ref: at, Offset: v.Link.Start() + v.IB.AETH(), Length: 1},
		})
	}
}

func (x *Record) terminated(c *rules.Conn, v *dissect.FrameView, t *iwarp.Termination) {
	from := c.TerminatedBy
	if r := x.RefusedBy(t, from.Peer()); r != nil {
		doubt := ""
		if _, named := t.SendMSN(); !named {
			doubt = c.DoubtOf(from.Peer(), r.Frame) // it may mean one that is missing
		}
		x.refused(c, r)
		rules.Raise(c, 0, &Refusal{
			Sent: r, From: from, Doubt: doubt, Frame: rules.Ref(v), Time: v.Frame.Time, Text: "a Terminate: " + t.String(), Termination: t, TooLong: t.Code() == iwarp.TooLong, Unclear: t.Code() == iwarp.NoBuffer,
		})
	}
}

// RefusedBy is the Send of an end that a Terminate refuses, nil if it refuses none
// or that is not known. One that names no message means the newest it can mean.
func (x *Record) RefusedBy(t *iwarp.Termination, from flow.End) *Request {
	if msn, ok := t.SendMSN(); ok {
		return x.ByMSN(from, msn)
	}
	switch {
	case t.DDP != nil:
	case t.Code() == iwarp.TooLong:
		return x.Newest(from)
	case t.CannotInvalidate():
		return x.findRequest(from, func(r *Request) bool { return r.Invalidates })
	}
	return nil
}

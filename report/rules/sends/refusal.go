package sends

import (
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
	Sent  *Sent
	From  flow.End
	Frame flow.Ref
	Time  int64
	// Text is what it said.
	Text string
	// Syndrome and PSN are those of the NAK; Termination is the Terminate, nil if it
	// is a NAK.
	Syndrome    rocev2.Syndrome
	PSN         uint32
	Termination *iwarp.Termination
	// TooLong says that it was expressly that the message is too long, Invalid that
	// the request was invalid, for which there are other reasons too.
	TooLong, Invalid bool
	// Place is that of the syndrome, of no length if that is in no frame.
	Place flow.Place
}

// OfLength reports whether the Send may have been refused for its length.
func (r *Refusal) OfLength() bool { return r.TooLong || r.Invalid }

// OnRefusal calls do for a Send that was refused, before any rule is told of the frame.
func OnRefusal(do func(c *rules.Conn, r *Refusal, say rules.Say)) rules.Event { return rules.On(0, do) }

func (b *Book) nak(v *dissect.FrameView, syndrome rocev2.Syndrome) {
	if !syndrome.IsNAK() || syndrome == rocev2.NAKPSNSequenceError {
		return
	}
	s := b.psn(v.Verdict.From.Peer(), v.IB.PSN)
	if s == nil {
		return
	}
	at := rules.Ref(v)
	b.tell(s, &Refusal{
		From: v.Verdict.From, Frame: at, Time: v.Frame.Time, Text: syndrome.String(), Syndrome: syndrome, PSN: v.IB.PSN,
		Invalid: syndrome == rocev2.NAKInvalidRequest, Place: flow.Place{Ref: at, Offset: v.Link.Start() + v.IB.AETH(), Length: 1},
	})
}

func (b *Book) terminated(v *dissect.FrameView, t *iwarp.Termination) {
	from := b.c.TerminatedBy
	if s := b.refusedBy(t, from.Peer()); s != nil {
		b.tell(s, &Refusal{
			From: from, Frame: rules.Ref(v), Time: v.Frame.Time, Text: "a Terminate: " + t.String(), Termination: t, TooLong: t.Code() == iwarp.TooLong,
		})
	}
}

// refusedBy is the Send of an end that a Terminate refuses, nil if it refuses none
// or that is not known. One that names no message means the newest it can mean.
func (b *Book) refusedBy(t *iwarp.Termination, from flow.End) *Sent {
	if msn, ok := t.SendMSN(); ok {
		return b.ByMSN(from, msn)
	}
	switch {
	case t.DDP != nil:
	case t.Code() == iwarp.TooLong:
		return b.Newest(from)
	case t.CannotInvalidate():
		return b.newest(from, func(s *Sent) bool { return s.Invalidates })
	}
	return nil
}

func (b *Book) tell(s *Sent, r *Refusal) {
	r.Sent = s
	rules.Raise(b.c, 0, r)
}

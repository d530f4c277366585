package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostSinks is how many RDMA Read requests of an end are remembered: more than an
// adapter has open.
const mostSinks = 256

// sinks are the STags that an end asked responses to go to.
type sinks struct {
	list rules.Ring[uint32]
	some bool // there are others, whose STags were cut off
}

func (s *sinks) has(stag uint32) bool {
	for x := range s.list.Backward() {
		if *x == stag {
			return true
		}
	}
	return false
}

// unnamed is a response to an RDMA Read that no request of the other end names so
// far. The capture may bring the request later, where the directions are not in
// step: it waits for what its sender had received by then.
type unnamed struct {
	waits bool
	stag  uint32
	ack   uint32 // the sequence number up to which that was
	at    flow.Moment
	place flow.Place // of the STag
}

// frame013 looks at RDMA Reads.
func frame013(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if !c.IWARP() {
		return
	}
	k := state.Of(c)
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		if u.IsStart || u.FPDU.Lost {
			continue
		}
		switch u.PDU.OpCode {
		case iwarp.OpReadRequest:
			// One that waited may be of either end.
			s := rules.Some(&k.segments)
			s.asks(v.Verdict.From&1, u)
			if u.Last != rules.Ref(v) {
				s.asks(v.Verdict.From&1^1, u)
			}
		case iwarp.OpReadResponse:
			rules.Some(&k.segments).answers(c, v, u, report)
		}
	}
	s := k.segments
	if s == nil {
		return
	}
	if from := v.Verdict.From&1 ^ 1; s.held[from].waits && wireOf(c).step.has(from^1, s.held[from].ack) {
		s.unasked(c, from, report)
	}
	k.await(c)
}

// asks notes the request of an end.
func (s *segments) asks(from flow.End, u *flow.Unit) {
	q, ok := u.PDU.ReadRequest()
	x := s.sinks[from]
	if x == nil {
		x = new(sinks)
		s.sinks[from] = x
	}
	h := &s.held[from^1]
	if !ok {
		x.some, h.waits = true, false
		return
	}
	*x.list.Add(mostSinks) = q.SinkSTag
	h.waits = h.waits && h.stag != q.SinkSTag
}

// answers looks whether a response to an RDMA Read goes where a request wants it.
func (s *segments) answers(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) {
	from := v.Verdict.From & 1
	asked, h := s.sinks[from^1], &s.held[from]
	if asked != nil && (asked.some || asked.has(u.PDU.STag)) || h.waits || u.Last != rules.Ref(v) || u.PDU.PayloadStart > len(u.PDU.Bytes) {
		return
	}
	*h = unnamed{true, u.PDU.STag, v.Link.TCP.Ack, rules.Moment(v), placeIn(v, u, 2, 4)}
	if wireOf(c).step.has(from^1, h.ack) {
		s.unasked(c, from, report)
	}
}

// unasked reports the response that an end sent and that nobody asked for.
func (s *segments) unasked(c *rules.Conn, from flow.End, report rules.Reporter) {
	h := &s.held[from]
	h.waits = false
	if !wireOf(c).step.begun[from^1] || c.OneDirection() || c.BeganLate() || c.Lossy() || c.Gap() || c.Unread ||
		c.Limited(rules.Disordered, c.Reordered > 0) {
		return
	}
	if f := report.Key(notAsked).Moment("a", h.at.Ref, h.at.Time, &from, ""); f != nil {
		f.Messagef("the %s sends an RDMA Read response to STag 0x%08x, which no request names", c.Sender(from), h.stag)
		f.See("STag", rules.Handle(h.stag), nil).At(h.place)
	}
}

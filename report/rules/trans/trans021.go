package trans

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans021() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.Lossy, rules.Disordered).Of("a response over iWARP")},
		Needs:       []rules.Knowledge{wires()},
		On:          []rules.Event{rules.OnFrame(rules.ReadingUnits, frame021), onLonger(longer021)},
	}
}

// longer is a response of RoCE or InfiniBand that is longer than what the RDMA Read asked for.
type longer struct {
	v       *dissect.FrameView // the packet that is too much
	asked   *order
	finding *rules.Finding // set by who takes it
}

// onLonger calls do for each, which TRANS-007 finds on its way.
func onLonger(do func(c *rules.Conn, x *longer, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

func longer021(c *rules.Conn, x *longer, report rules.Reporter) {
	if x.finding = report.Frame("", x.v, ""); x.finding == nil {
		return
	}
	x.asked.describe(c, x.finding, x.v)
	x.finding.See("PSN", x.v.IB.PSN, nil).With(x.asked.begun)
}

// describe says how long a response is so far.
func (o *order) describe(c *rules.Conn, f *rules.Finding, v *dissect.FrameView) {
	position := v.IB.OpCode.Position()
	ended := position == rocev2.PositionLast || position == rocev2.PositionOnly
	f.Messagef("the %s answers an RDMA Read of %d bytes with %s%d bytes", c.Sender(v.Verdict.From), o.announced, leastUnless(ended), o.sum)
	seeResponse(f, o.sum, o.announced)
}

// seeResponse shows how many bytes a response has so far, beside how many were asked for.
func seeResponse(f *rules.Finding, size, asked any) {
	const name = "bytes of the response"
	i := slices.IndexFunc(f.Evidence, func(e finding.Evidence) bool { return e.Name == name })
	if i < 0 {
		f.See(name, size, asked)
		return
	}
	f.Evidence[i].Observed = size
}

// leastUnless says that a length is that of a response whose end was not seen.
func leastUnless(ended bool) string {
	if ended {
		return ""
	}
	return "at least "
}

// doubt021 is why, over iWARP, the RDMA Read that is answered may be another one than that which was captured.
func doubt021(c *rules.Conn) string {
	switch {
	case c.Lossy() || c.Gap():
		return finding.DoubtLoss
	case c.Disordered():
		return finding.DoubtOrder
	}
	return ""
}

// mostSinkReads is how many RDMA Reads over iWARP that an end asked for are remembered: more than an adapter has open.
const mostSinkReads = 256

// A sinkRead is an RDMA Read over iWARP, with the memory that its response goes to.
type sinkRead struct {
	iwarp.ReadRequest
	ref flow.Ref
}

// endTO is the tagged offset after what was asked for.
func (r *sinkRead) endTO() uint64 { return r.SinkTO + uint64(r.Size) }

// An answering is the response that an end sends, or sent last.
type answering struct {
	read    sinkRead
	begun   bool // read is what it answers
	ended   bool // its last segment was seen
	next    uint64
	finding *rules.Finding
}

// overlong are the RDMA Reads of an iWARP connection that are not answered so far, by the end that asked, oldest first,
// and the responses, by the end that answers.
type overlong struct {
	asked  [2][]sinkRead
	unread [2]bool // requests of the end were cut off
	now    [2]answering
}

// frame021 looks at the RDMA Read Requests and Responses of a frame.
func frame021(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if !c.IWARP() {
		return
	}
	x, from := rules.Some(&state.Of(c).overlong), v.Verdict.From&1
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		if u.IsStart || u.FPDU.Lost || u.PDU.Fault.Bad() {
			continue
		}
		waited := u.Last != rules.Ref(v) // then it may be of either end
		switch u.PDU.OpCode {
		case iwarp.OpReadRequest:
			x.asks(from, u)
			if waited {
				x.asks(from^1, u)
			}
		case iwarp.OpReadResponse:
			if waited || u.PDU.PayloadStart > len(u.PDU.Bytes) || x.unread[from^1] {
				x.now = [2]answering{}
				continue
			}
			x.answers(c, v, u, report)
		}
	}
}

// asks notes a request.
func (x *overlong) asks(from flow.End, u *flow.Unit) {
	q, ok := u.PDU.ReadRequest()
	if !ok {
		x.unread[from] = true
		return
	}
	list := &x.asked[from]
	if len(*list) == mostSinkReads {
		*list = append((*list)[:0], (*list)[1:]...)
	}
	*list = append(*list, sinkRead{q, u.Last})
}

// begins finds the RDMA Read that a segment is the first of a response to, and forgets those before it, which were
// answered. Of several with the same sink it is the one that asks for most: one of them may have been answered
// where the capture lacks it.
func (x *overlong) begins(from flow.End, p *iwarp.PDU) (r sinkRead, ok bool) {
	list := &x.asked[from^1]
	first := 0
	for i := range *list {
		if q := &(*list)[i]; q.SinkSTag == p.STag && q.SinkTO == p.TO {
			if !ok {
				first = i + 1
			}
			if !ok || q.Size > r.Size {
				r, ok = *q, true
			}
		}
	}
	*list = append((*list)[:0], (*list)[first:]...)
	return r, ok
}

// answers holds a segment of a response against what was asked for.
func (x *overlong) answers(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) {
	from, p := v.Verdict.From&1, &u.PDU
	a, doubt := &x.now[from], doubt021(c)
	follows := a.begun && p.STag == a.read.SinkSTag && p.TO == a.next
	// A response whose last segment was not seen goes on, also into what another RDMA Read asked for, unless the
	// capture may lack that segment.
	if !follows || a.ended || doubt != "" {
		if r, ok := x.begins(from, p); ok {
			*a = answering{read: r, begun: true}
		} else if !follows {
			*a = answering{}
			return
		}
	}
	a.next, a.ended = p.TO+uint64(p.PayloadLength()), p.Last
	// What the sender had not received it does not answer, and what it had may come later in the capture.
	if a.next <= a.read.endTO() || a.next < p.TO || !wireOf(c).step.has(from^1, v.Link.TCP.Ack) {
		return
	}
	if a.finding == nil {
		if a.finding = report.Frame("", v, doubt); a.finding == nil {
			return
		}
		a.finding.See("STag", rules.Handle(p.STag), nil)
		a.finding.With(a.read.ref).At(placeIn(v, u, 2, 12))
	}
	a.finding.Messagef("the %s answers the RDMA Read Request in frame %s, for %d bytes, with %s%d bytes", c.Sender(from),
		c.Capture.FrameName(a.read.ref), a.read.Size, leastUnless(a.ended), a.next-a.read.SinkTO)
	seeResponse(a.finding, a.next-a.read.SinkTO, a.read.Size)
}

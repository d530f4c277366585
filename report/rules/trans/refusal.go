package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A refusal is a NAK or an RNR NAK.
type refusal struct {
	v        *dissect.FrameView
	from     flow.End // who refuses
	syndrome rocev2.Syndrome
	psn      uint32
	request  *requests.Request // the one that has the PSN, nil if it is not remembered
	goesOn   bool              // the request is new, and was sent long after fatal NAKs
}

// place is the syndrome in its frame.
func (r *refusal) place() flow.Place {
	return flow.Place{Ref: rules.Ref(r.v), Offset: r.v.Link.Start() + r.v.IB.AETH(), Length: 1}
}

// show puts what every refusal has into a finding.
func (r *refusal) show(f *rules.Finding) {
	f.See("AETH syndrome", r.syndrome.String(), "ACK").See("PSN", r.psn, nil).At(r.place())
	q := r.request
	if q == nil {
		return
	}
	f.With(q.Frame)
	f.See("refused request", q.String(), nil)
	if q.HasXID {
		f.ForXID(q.XID)
	}
}

// about is what was refused, for a message.
func (r *refusal) about() string {
	if r.request == nil {
		return "a request that is not in the capture"
	}
	return "the " + r.request.String() + " of frame " + number(r.request.Frame.Number)
}

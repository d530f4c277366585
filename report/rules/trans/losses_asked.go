package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

// asked is what an end last asked its peer to send again.
type asked struct {
	ranges rules.Ring[asking]
	n      uint32 // how often it asked
	// psn is the first of what it asked for at a stroke, open that no answer to that was seen
	// so far.
	psn     uint32
	open    bool
	strokes int64
	naked   uint32 // the PSN of its last NAK, if nak
	nak     bool
	stroke
}

// mostAsked is how many are remembered: one that is lost is asked for again within a round trip.
const mostAsked = 64

// An asking is PSNs that were asked for.
type asking struct{ n, first, last uint32 }

// since reports whether a PSN was asked for after n others.
func (a *asked) since(n, psn uint32) bool {
	for x := range a.ranges.Backward() {
		if x.n <= n {
			return false
		}
		if rocev2.PSNDiff(psn, x.first) >= 0 && rocev2.PSNDiff(x.last, psn) >= 0 {
			return true
		}
	}
	return a.n-n > mostAsked
}

// ask notes that PSNs were asked for.
func (a *asked) ask(first, last uint32) {
	a.n++
	*a.ranges.Add(mostAsked) = asking{a.n, first, last}
}

// answered notes that an end answers what its peer asked for.
func (l *losses) answered(from flow.End, psn uint32) bool {
	a := &l.asked[from^1]
	if !a.open || a.psn != psn {
		return false
	}
	a.open = false
	return true
}

// repeated takes a response that the capture has already: what was asked for again was lost
// after the capture.
func (l *losses) repeated(c *rules.Conn, v *dissect.FrameView, from flow.End) {
	switch {
	case l.answered(from, v.IB.PSN):
		l.Ways[from].LostBehind(v.IB.PayloadLength(), v.Frame.Time)
	case l.unasked(c, v):
		l.Ways[from].Copies++
	}
}

// unasked reports whether nobody asked for a response that comes again: it comes twice from the network, or from its
// sender.
func (l *losses) unasked(c *rules.Conn, v *dissect.FrameView) bool {
	return !c.OneDirection() && !c.Lossy() && !l.asked[v.Verdict.From&1^1].since(0, v.IB.PSN)
}

// askedAgain takes an RDMA Read request that is retransmitted, or one for the rest of it; q is as it
// was sent first, nil if that is not known.
func (l *losses) askedAgain(from flow.End, psn uint32, q *requests.Request, now int64) {
	a, end := &l.asked[from], psn
	if q != nil {
		end = q.Last
	}
	a.ask(psn, end)
	if !a.follows(psn, now) {
		if a.strokes++; a.strokes > 1 && rocev2.PSNDiff(psn, a.psn) > 0 {
			l.Ways[from^1].Advanced()
		}
		a.psn, a.open = psn, true
	}
}

// nak takes a NAK that says that its sender lacks a PSN.
func (l *losses) nak(c *rules.Conn, r *refusal) {
	const window = 1 << 12 // PSNs that may go again for one NAK
	sender := r.from ^ 1
	l.asked[r.from].ask(r.psn, rocev2.PSNAdd(r.psn, window))
	for x := range l.late[sender].Backward() {
		if x.psn == r.psn && x.open {
			if x.moved {
				l.overtook(c, sender, x)
			}
			return
		}
	}
	if a := &l.asked[r.from]; !a.nak || a.naked != r.psn {
		if a.nak && rocev2.PSNDiff(r.psn, a.naked) > 0 {
			l.Ways[sender].Advanced()
		}
		a.nak, a.naked = true, r.psn
	}
	if r.request != nil {
		l.Ways[sender].At(rules.Moment(r.v))
		l.Ways[sender].LostBehind(payloadOf(c, r.request, r.psn), r.v.Frame.Time)
	}
}

// payloadOf is how many bytes a packet of a request carries: as many as the path MTU allows, or in the last one the rest.
func payloadOf(c *rules.Conn, q *requests.Request, psn uint32) int {
	before := int(rocev2.PSNDiff(psn, q.First)) * c.PathMTU
	if c.PathMTU == 0 || before < 0 || before >= q.Length {
		return q.Length
	}
	return min(q.Length-before, c.PathMTU)
}

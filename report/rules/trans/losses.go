package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

// losses are what a connection shows of its Path. They are made with the first frame that
// is sent again, asked for again or late.
//
// What a frame means shows later: a PSN that came late was lost and sent again if it comes
// once for each time that it was asked for, and was overtaken if it comes more often; a
// request that is sent again was sent in vain if its answer is seen only then.
type losses struct {
	finding.Path
	late  [2]rules.Ring[latePSN] // by the end that sent them
	asked [2]asked               // by the end that asked
	tried [2]tried               // by the end that tried
	wrong [2]rules.Ring[uint32]  // PSNs, or sequence numbers, of what has a wrong check value
	tcp   *segmentsAgain         // nil over InfiniBand
}

// mostLate is how many PSNs are remembered that came late, as more may have been asked
// for at once; of more the oldest were lost.
const mostLate = 256

// mostWrong is how many frames with a wrong check value are remembered until they are sent again.
const mostWrong = 64

// changed notes that a frame was changed on its way.
func (l *losses) changed(from flow.End, number uint32) { *l.wrong[from].Add(mostWrong) = number }

// wasChanged reports whether what is sent again was changed on its way the first time.
func (l *losses) wasChanged(from flow.End, number uint32) bool {
	for x := range l.wrong[from].Backward() {
		if *x == number {
			return true
		}
	}
	return false
}

// latePSN is a frame that came late, and was taken for one that was lost and sent again.
type latePSN struct {
	at   flow.Moment
	psn  uint32
	asks uint32 // how often its receiver had asked for anything by then
	open bool
	// moved says that it was not sent again: it was overtaken on its way, or by other frames of the capture.
	moved bool
}

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

// A stroke is requests that are sent again together: the first is what was missing, the
// others follow since nothing behind it was taken.
type stroke struct {
	last uint32
	at   int64
}

// follows reports whether a request is one more of the stroke, which it then is.
func (s *stroke) follows(psn uint32, now int64) bool {
	const together = 50e6 // nanoseconds; far less than a time-out
	more := s.at != 0 && rocev2.PSNDiff(psn, s.last) > 0 && now-s.at < together
	s.last, s.at = psn, now
	return more
}

// tried is what an end last sent again though nobody asked.
type tried struct {
	psn         uint32
	first, last int64 // when it was sent first, and last
	again       int64 // when it was sent for the second time
	n           int
	read        bool // it is an RDMA Read request
	stroke
}

// A lostBefore is a frame that was lost before it reached the capture, or is shown to be overtaken: Raise
// tells of it when that is sure.
type lostBefore struct {
	at    flow.Moment
	from  flow.End
	psn   uint32
	moved bool // it was overtaken
}

// onLostBefore calls do for each frame that was lost before it reached the capture.
func onLostBefore(do func(c *rules.Conn, x *lostBefore, say rules.Say)) rules.Event {
	return rules.On(0, do)
}

// impatience is the shortest pause after which what is sent again unasked counts as sent
// after a time-out, in nanoseconds: adapters and TCP wait longer (the least RTO of Linux is
// 200 ms), and answer a NAK sooner.
const impatience = 150e6

// note takes a frame of InfiniBand that is not just the next one.
func (l *losses) note(c *rules.Conn, v *dissect.FrameView) {
	from, at := v.Verdict.From&1, rules.Moment(v)
	way := &l.Ways[from]
	switch v.Verdict.Note {
	case flow.LostOnWire:
		way.At(at)
		way.Again++
		l.answered(from, v.IB.PSN)
		if l.wasChanged(from, v.IB.PSN) {
			return
		}
		way.Before++
		l.came(c, from, latePSN{at: at, psn: v.IB.PSN, asks: l.asked[from^1].n, open: true})
	case flow.Reordered:
		x := l.came(c, from, latePSN{at: at, psn: v.IB.PSN, asks: l.asked[from^1].n, open: true, moved: true})
		if l.asked[from^1].since(max(x.asks, mostAsked)-mostAsked, x.psn) {
			l.answered(from, x.psn)
			l.overtook(c, from, x)
		}
	case flow.Retransmission:
		way.At(at)
		way.Again++
		if l.overtaken(c, from, v.IB.PSN) {
			return
		}
		if v.IB.OpCode.IsResponse() {
			l.repeated(c, v, from)
		} else {
			l.resent(c, v, from)
		}
	}
}

// came remembers a frame that came late.
func (l *losses) came(c *rules.Conn, from flow.End, late latePSN) *latePSN {
	x := l.late[from].Add(mostLate)
	if x.open && !x.moved {
		rules.Raise(c, 0, &lostBefore{at: x.at, from: from, psn: x.psn})
	}
	*x = late
	return x
}

// overtook counts a frame that is shown to be overtaken, and that its receiver asked for.
func (l *losses) overtook(c *rules.Conn, from flow.End, x *latePSN) {
	x.open = false
	l.Ways[from].Overtaken++
	l.Ways[from].At(x.at)
	rules.Raise(c, 0, &lostBefore{at: x.at, from: from, psn: x.psn, moved: true})
}

// overtaken looks for a frame that came late, which comes once more. If nobody asked for it in
// between, this is what was asked for, and the other was on its way all the time.
func (l *losses) overtaken(c *rules.Conn, from flow.End, psn uint32) bool {
	for x := range l.late[from].Backward() {
		if !x.open || x.psn != psn {
			continue
		}
		if x.moved {
			l.answered(from, psn)
			l.overtook(c, from, x)
			return true
		}
		x.open = false
		if l.asked[from^1].since(x.asks, psn) {
			rules.Raise(c, 0, &lostBefore{at: x.at, from: from, psn: x.psn})
			return false
		}
		l.Ways[from].Before--
		l.Ways[from].Overtaken++
		return true
	}
	return false
}

// settle tells of all that came late: no more of it comes.
func (l *losses) settle(c *rules.Conn) {
	if l.tcp != nil {
		l.tcp.settle(c, &l.Path)
	}
	l.unanswered(c)
	for from := range l.late {
		for x := range l.late[from].All() {
			if x.open && !x.moved {
				rules.Raise(c, 0, &lostBefore{at: x.at, from: flow.End(from), psn: x.psn})
			}
			x.open = false
		}
	}
}

// unanswered looks for what was sent again and again until the connection was over, and that nothing answered.
func (l *losses) unanswered(c *rules.Conn) {
	for from := range l.tried {
		t, way := &l.tried[from], &l.Ways[from]
		at := flow.Point{First: t.psn, Last: t.psn, From: flow.End(from), Numbered: true}
		if t.n < 2 || c.OneDirection() || c.Delivery(at) == flow.Acknowledged || c.LastSeen(flow.End(from).Peer()).Time >= t.again {
			continue
		}
		if t.read { // others were counted each time
			way.LostBehind(0, t.last)
			way.Unsure++
		}
		way.Unanswered = way.Outage == t.last-t.first
	}
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
// behind the capture.
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

// resent takes a request that is sent again.
func (l *losses) resent(c *rules.Conn, v *dissect.FrameView, from flow.End) {
	psn, now := v.IB.PSN, v.Frame.Time
	q := requests.Of(c).Find(from, psn)
	isRead := v.IB.OpCode.Kind() == rocev2.KindReadRequest
	if isRead {
		l.askedAgain(from, psn, q, now)
	}
	t := &l.tried[from]
	if t.follows(psn, now) {
		return
	}
	last := c.LastSeen(from).Carried // it sent nothing since
	switch {
	case t.n > 0 && t.psn == psn:
		last = t.last
	case q != nil:
		last = q.Time
	}
	pause := now - last
	refused := wireOf(c).refusedSince(from^1, last)
	if refused || last == 0 || pause < impatience {
		t.psn, t.first, t.last, t.n = psn, now, now, 1 // if nothing answers this, it is from here on that it waits
		if !refused && !isRead && q != nil {
			l.Ways[from].Copies++
		}
		return
	}
	if t.n == 0 || t.psn != psn {
		t.psn, t.first, t.n = psn, last, 1
	}
	t.last, t.read = now, isRead
	if t.n++; t.n == 2 {
		t.again = now
	}
	l.Ways[from].Vain(pause, now-t.first, t.n)
	if isRead {
		return // its responses tell what was lost
	}
	if c.Delivery(flow.Point{First: psn, Last: psn, From: from, Numbered: true}) == flow.Acknowledged {
		l.Ways[from^1].LostBehind(0, now) // the acknowledgement
		return
	}
	l.Ways[from].LostBehind(v.IB.PayloadLength(), now)
	l.Ways[from].Unsure++
}

// askedAgain takes an RDMA Read request that is sent again, or one for the rest of it; q is as it
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

// refusedSince reports whether an end said that it lacks something or is not ready.
func (w *wire) refusedSince(end flow.End, since int64) bool {
	r := w.refusals
	return r != nil && max(r.naks[end].Time, r.rnrs[end].Time) > since
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

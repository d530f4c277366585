package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A stroke is requests that are retransmitted together: the first is what was missing, the
// others follow since nothing after it was taken.
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

// impatience is the shortest pause after which what is retransmitted unasked counts as sent
// after a time-out, in nanoseconds: adapters and TCP wait longer (the least RTO of Linux is
// 200 ms), and answer a NAK sooner.
const impatience = 150e6

// unanswered looks for what was retransmitted and again until the connection was over, and that nothing answered.
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

// resent takes a request that is retransmitted.
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

// refusedSince reports whether an end reported that it lacks something or is not ready.
func (w *wire) refusedSince(end flow.End, since int64) bool {
	r := w.refusals
	return r != nil && max(r.naks[end].Time, r.rnrs[end].Time) > since
}

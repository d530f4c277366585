package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Two directions of a connection may be captured by two ports, or two hosts, and
// put into one file: each is in order then, but one of them comes late. Nothing is
// missing and nothing changes places within a direction, so only what the ends say
// to each other shows it: the answer to a frame is captured before the frame.
//
//	client ──Send PSN 10──────────────────> server     captured 50 us late
//	client <─────────── Acknowledge PSN 10─ server
//	file    Acknowledge PSN 10, Send PSN 10
//
// The same is seen where the capture lacks a frame that was answered and is sent
// again, as the answer was lost after the capture. Then the receiver says once more
// what it reported before.

// A newestPSN is the newest PSN that the receiver of a half's requests answered, if the
// capture had no request of that PSN.
type newestPSN struct {
	any bool
	psn uint32
}

// raise takes the answer to a PSN.
func (e *newestPSN) raise(psn uint32) (newer bool) {
	newer = !e.any || rocev2.PSNDiff(psn, e.psn) > 0
	if newer {
		*e = newestPSN{true, psn}
	}
	return newer
}

// isNewest reports whether a PSN was answered, of which a request came now.
func (e *newestPSN) isNewest(psn uint32) bool {
	e.any = e.any && rocev2.PSNDiff(e.psn, psn) >= 0
	return e.any
}

// skew is what shows that requests of a half are captured after their answers.
type skew struct {
	answered newestPSN
	// refused is what the receiver was not ready for; it is not sent again before the
	// time until, in nanoseconds since 1970.
	refused newestPSN
	until   int64
	// unsure are those that were counted since the last answer to something new.
	unsure int64
}

// noteAnswer takes a response of the peer, which says of one PSN that it came.
func (h *requester) noteAnswer(p *flow.Frame) {
	if !h.known {
		return
	}
	s := &h.skew
	d := rocev2.PSNDiff(p.IB.PSN, h.next)
	if d < 0 && s.unsure == 0 || d < -maxPSNJump || d > maxPSNJump {
		return // the common case, or another life of the queue pair
	}
	psn := p.IB.PSN
	if p.IB.OpCode.Kind() == rocev2.KindAcknowledge {
		switch y := p.IB.Syndrome(); {
		case p.IB.AETH() == 0:
			psn = rocev2.PSNAdd(psn, -1) // what it names may not have come
		case y.IsRNR():
			if d >= 0 && s.refused.raise(psn) {
				s.until = p.Time + int64(y.RNRTimer())
			}
			return
		case y == rocev2.NAKPSNSequenceError, !y.IsACK() && !y.IsNAK():
			return
		}
	}
	switch {
	case d >= 0 && !s.answered.raise(psn):
		return
	case d < 0 && rocev2.PSNDiff(psn, h.acked) <= 0:
		// They were sent again, and the first ones are missing.
		h.conn.Skewed -= s.unsure
	}
	s.unsure = 0
}

// skewed counts a request that comes in order, if it was answered already.
func (h *requester) skewed(p *flow.Frame) {
	s := &h.skew
	switch psn := p.IB.PSN; {
	case s.answered.isNewest(psn):
		s.unsure++
	case !s.refused.isNewest(psn) || p.Time >= s.until:
		return
	}
	h.conn.Skewed++
}

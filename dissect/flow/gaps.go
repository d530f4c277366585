package flow

import "github.com/rdmacap/rdmacap/rocev2"

// Gaps are what a connection shows to be missing from the capture.
//
// A gap is open while frames are missing that may still come: the capture has
// them out of order, or they were lost on the wire and will be sent again. One
// that is filled is no hole. It becomes a hole when it is given up: what lay
// there, messages or RDMA operations, is never told.
type Gaps struct {
	// Holes is how often something was given up as missing. A stretch of the
	// capture may count more than once.
	Holes int64
	// LastHole is the latest frame of which it is known that something before it
	// is missing: the first that was captured of what its sender sent behind a
	// hole, or the one that showed the hole where there is none. LastHoleTime is
	// its time in nanoseconds since 1970. They are valid if Holes is not 0.
	LastHole     Ref
	LastHoleTime int64
}

// hole notes a hole before a frame.
func (g *Gaps) hole(before Moment) {
	if g.Holes == 0 || before.Time >= g.LastHoleTime {
		g.LastHole, g.LastHoleTime = before.Ref, before.Time
	}
	g.Holes++
}

// Gap reports whether frames are missing so far that may still come: before some
// that wait for them, or of what the peer acknowledged. It may be true a little
// longer than that, but never while messages are told in their order and nothing
// of the connection waits.
func (c *Conn) Gap() bool { return c.path != nil && c.path.gap() }

func (c *qpConn) gap() bool {
	for _, h := range c.halves {
		if h != nil && h.gaping() {
			return true
		}
	}
	return false
}

func (tc *tcpConn) gap() bool {
	for _, s := range tc.sides {
		if s != nil && (s.behind != 0 || len(s.postponed.list) > 0) {
			return true
		}
	}
	return false
}

// gaping reports whether the half lacks packets so far.
func (h *half) gaping() bool {
	if h.reads.lacking > 0 {
		return true
	}
	next, slack := h.next, h.slack
	for _, k := range h.held {
		if d := rocev2.PSNDiff(k.IB.PSN, next); d > 0 && uint32(d) > slack {
			return true
		} else if d >= 0 {
			next, slack = h.after(&k.IB), 0
		}
	}
	d := rocev2.PSNDiff(h.acked, next)
	return h.known && h.anyAck && d >= int32(slack) && d <= maxPSNJump
}

// behindHole is the frame that stands behind the first hole of the stream, or the
// last of the connection if nothing does.
func (s *side) behindHole() Moment {
	for o := range s.stream.Behind(s.stream.Next()) {
		return Moment{o.ref, o.time}
	}
	return Moment{s.tc.latest.ref, s.tc.latest.time}
}

// behindHole is the same of the gap before the half's next PSN.
func (h *half) behindHole() Moment {
	if len(h.held) > 0 {
		return Moment{h.held[0].Ref(), h.held[0].Time}
	}
	return Moment{h.conn.Last, h.conn.LastTime}
}

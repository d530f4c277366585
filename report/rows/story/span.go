package story

import "github.com/rdmacap/rdmacap/dissect"

// A place is one in the order in which an end sends: PSNs have 24 bits and sequence numbers of TCP
// 32. Both are in the upper bits of a place, so that they wrap alike.
type place uint32

// psn is the place of a packet.
func psn(n uint32) place { return place(n << 8) }

// sequence is the place of the first byte of a segment.
func sequence(v *dissect.FrameView) place { return place(v.Link.TCP.Seq) }

// before reports whether a place comes before another.
func (p place) before(o place) bool { return int32(o-p) > 0 }

// A span is from which place to which an RPC's frames are.
type span struct {
	first, last place
	known       bool
}

// take takes a place of the RPC; it is true.
func (s *span) take(p place) bool {
	switch {
	case !s.known:
		s.first, s.last, s.known = p, p, true
	case p.before(s.first):
		s.first = p
	case s.last.before(p):
		s.last = p
	}
	return true
}

// has reports whether a place is of the span.
func (s *span) has(p place) bool { return s.known && !p.before(s.first) && !s.last.before(p) }

package flow

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect/stream"
	"github.com/rdmacap/rdmacap/iwarp"
)

// tcpWindow is how many frames of the connection a missing one may come late
// once the peer had acknowledged what it brings: then only the order of the
// capture is wrong, and not by much.
const tcpWindow = 32

// judge says how a segment came, and counts it.
func (s *side) judge(place stream.Place, f *Frame) Note {
	c := s.tc.counters()
	order := s.identify(f.Link.IPID)
	seen := sighting{uint32(f.Link.IPID)<<16 | uint32(f.Link.TCP.Checksum), f.Time}
	switch place {
	case stream.Next:
		s.recent.note(seen, f.Link.TCP.Seq, 0)
	case stream.Early:
		if next := s.stream.Next(); s.gapAt == (moment{}) || s.gap != next {
			s.gap, s.gapAt, s.resent = next, moment{f.Time, s.tc.frames}, false
		}
		if f.PayloadLength == 0 {
			return InOrder // it is the frames before it that are missing
		}
		s.recent.note(seen, f.Link.TCP.Seq, 0)
		return Gap
	case stream.Filled:
		s.recent.note(seen, f.Link.TCP.Seq, 0)
		soon := !s.resent && f.Time-s.gapAt.time < reorderDelay && s.tc.frames-s.gapAt.frames <= reorderWindow
		if order < 0 || order == 0 && soon {
			c.Reordered++
			return Reordered
		}
		c.Retransmissions++
		c.LostOnWire++
		return LostOnWire
	case stream.Old:
		if s.recent.has(seen, f.Link.TCP.Seq, 0) {
			c.Duplicates++
			return Duplicate
		}
		if f.PayloadLength <= 1 {
			return InOrder // a keep-alive probe, or an acknowledgement that came late
		}
		s.recent.note(seen, f.Link.TCP.Seq, 0)
		s.resent = true
		c.Retransmissions++
		return Retransmission
	case stream.Far:
		return Stale
	}
	return InOrder
}

// identify says by a frame's IPv4 identification whether it was sent before (-1)
// or after (1) the side's others so far: if the sender counts its frames, as
// Linux does, and 0 if nobody can say.
func (s *side) identify(id uint16) int {
	const (
		near   = 64 // so many frames, or segments in them, may come between two
		proven = 4  // that it counts
	)
	d := int(int16(id - s.ipid))
	switch {
	case d < -near || d > near:
		s.counted, s.ipid = 0, id
	case d > 0:
		s.counted, s.ipid = min(s.counted+1, proven), id
	}
	if s.counted < proven {
		return 0
	}
	return cmp.Compare(d, 0)
}

// settle gives up on holes whose octets will not come any more; with force, on
// all of them.
func (tc *tcpConn) settle(force bool) {
	for _, s := range tc.sides {
		if s != nil {
			s.settle(force)
		}
	}
}

func (s *side) settle(force bool) {
	for {
		segments, octets := s.stream.Waiting()
		proven := s.stream.Proven()
		if segments == 0 && !proven {
			break
		}
		if proven && s.provenAt == 0 {
			s.provenAt, s.provenEnd = s.tc.frames, s.pos+s.stream.Missing()+1 // or it was a FIN
		}
		late := s.provenAt != 0 && s.tc.frames-s.provenAt >= tcpWindow
		long := segments > maxHeld || octets > maxHeldSize
		if !late && !long && !force && (s.t.kept <= maxKept || len(s.t.candidates) > 0) {
			break
		}
		s.guess = s.provenAt == 0 && !long
		n := s.stream.Skip(s)
		s.guess, s.provenAt = false, 0
		if n == 0 {
			break
		}
	}
	if !s.stream.Proven() {
		s.provenAt = 0
	}
	s.account()
}

// originCost is the memory that the origin of octets takes, in octets.
const originCost = 56

// account keeps the tracker's count of what waits.
func (s *side) account() {
	_, octets := s.stream.Waiting()
	octets += len(s.head) + originCost*len(s.origins)
	for i := range s.early {
		octets += len(s.early[i].data.Octets)
	}
	if s.phase == framing {
		octets += int(s.framer.Position() - s.framer.Held())
	}
	octets += s.postponed.octets
	s.t.kept += octets - s.kept
	s.kept = octets
}

// relieve lets go of what the side keeps, to find its place in the stream anew.
func (s *side) relieve() {
	s.early = nil
	switch {
	case s.phase == waiting:
		s.goOn()
	case s.phase == framing && s.framer.Held() < s.framer.Position():
		s.framer = iwarp.Framer{} // with its buffers
		s.hunt()
	}
	s.prune()
	s.account()
}

// How long the segments of a hole may have been at most, in octets. Adapters cut
// segments into frames, or put them together, beyond the capture: that a
// connection does without this shows once it has filled Ethernet frames and no
// larger ones.
const (
	ethernetSegment = 1460
	longestSegment  = 65535
	filledFrame     = 1000 // and more
	filledFrames    = 8
)

// sized notes the length of a segment.
func (tc *tcpConn) sized(n int) {
	if n > filledFrame {
		tc.filled++
	}
	tc.widest = max(tc.widest, n)
}

// lost counts the frames that a hole of n octets lacks at least.
func (s *side) lost(n uint64, snap bool) {
	if snap || s.guess {
		return
	}
	most := uint64(longestSegment)
	if s.tc.filled >= filledFrames && s.tc.widest <= ethernetSegment {
		most = ethernetSegment
	}
	if s.pos != s.hole.end {
		s.hole.start, s.hole.end = s.pos, s.pos
	}
	// A hole may be given up in parts.
	counted := (s.hole.end - s.hole.start + most - 1) / most
	s.hole.end += n
	s.tc.counters().LostInCapture += int64((s.hole.end-s.hole.start+most-1)/most - counted)
}

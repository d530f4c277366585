package tcp

import (
	"unsafe"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/iwarp"
)

// tcpWindow is how many frames of the connection a missing one may come late
// once the peer had acknowledged what it brings: then only the order of the
// capture is wrong, and not by much. Where nothing came after it, the whole
// direction may be late, and it may take longer: see longAgo. It is for captures that are
// out of order, see order.Window.
const tcpWindow = 32

// giveUp gives up on holes whose bytes will not come any more; with force, on
// all of them.
func (tc *tcpConn) giveUp(force bool) {
	for i := range tc.directions {
		switch s := tc.directions[i]; {
		case s == nil:
		case s.stream.Whole():
			s.provenAt = 0
		default:
			s.giveUp(force)
		}
	}
}

func (s *direction) giveUp(force bool) {
	for {
		segments, size := s.stream.Waiting()
		proven := s.stream.Proven()
		if segments == 0 && !proven {
			break
		}
		if proven && s.provenAt == 0 {
			s.provenAt, s.provenEnd = s.tc.frames, s.pos+s.stream.Missing()+1 // or it was a FIN
			s.provenBy = s.tc.latest
		}
		now := order.Instant{Time: s.tc.latest.Time, Frames: s.tc.frames}
		if proven && (s.pos != s.provenPos || s.stands.Frames < s.provenAt) {
			// The direction goes on, after what is acknowledged of it.
			s.provenPos, s.stands = s.pos, now
		}
		late := s.provenAt != 0
		if late && segments > 0 {
			late = now.Frames-s.stands.Frames >= order.Window(s.tc.counters(), s.tc.mixed(), tcpWindow)
		} else if late {
			late = s.stands.LongAgo(now, tcpWindow)
		}
		if s.leftOut {
			late = s.provenAt != 0 // what was left out is not out of order
		}
		long := segments > order.MaxHeld || size > order.MaxHeldSize
		if !late && !long && !force && (s.env.Kept <= s.env.Limits.Kept || len(s.env.candidates) > 0) {
			break
		}
		s.guess = s.provenAt == 0 && !long
		s.showed = s.afterHole()
		n := s.stream.Skip(s)
		s.guess, s.provenAt = false, 0
		if n == 0 {
			break
		}
	}
	if !s.stream.Proven() {
		s.provenAt = 0
	}
}

// originCost is the memory that the origin of bytes takes, in bytes.
const originCost = int(unsafe.Sizeof(run{}))

// account keeps the tracker's count of what waits, once a frame.
func (tc *tcpConn) account() {
	for i := range tc.directions {
		if s := tc.directions[i]; s != nil {
			s.account()
		}
	}
}

func (s *direction) account() {
	_, size := s.stream.Waiting()
	size += len(s.head) + originCost*len(s.origins)
	for i := range s.early {
		size += len(s.early[i].data.Bytes)
	}
	if s.phase == framing {
		size += int(s.framer.Position() - s.framer.Held())
	}
	size += s.postponed.bytes
	s.env.Kept += size - s.kept
	s.kept = size
}

// relieve lets go of what the side keeps, to find its place in the stream anew.
func (s *direction) relieve() {
	s.early = nil
	switch {
	case s.phase == waiting:
		s.startAlone()
	case s.phase == framing && s.framer.Held() < s.framer.Position():
		s.framer = iwarp.Framer{} // with its buffers
		s.hunt()
	}
	s.prune()
	s.account()
}

// How long the segments of a hole may have been at most, in bytes. Adapters cut
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

// lost counts the frames that a hole of n bytes lacks at least.
func (s *direction) lost(n uint64, snap bool) {
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

// Gap reports whether a side waits for what it lacks, or for FPDUs to be found. What is
// postponed of the other side counts as missing of that.
func (tc *tcpConn) Gap(of flow.End) bool {
	for _, s := range tc.directions {
		if s != nil && s.end == of&1 && (s.behind != 0 || len(s.postponed.list) > 0) {
			return true
		}
	}
	return false
}

// afterHole is the frame that stands after the first hole of the stream: the next segment,
// the acknowledgement of what is missing, if that came before, or the last frame of the
// connection.
func (s *direction) afterHole() flow.Moment {
	acked := s.provenAt != 0 && s.pos+s.stream.Missing() < s.provenEnd
	for o := range s.stream.Behind(s.stream.Next()) {
		if acked && s.provenBy.Ref.Number < o.ref.Number && order.InStep(s.tc.counters(), s.tc.mixed()) {
			break
		}
		return flow.Moment{Ref: o.ref, Time: o.time}
	}
	if acked {
		return s.provenBy
	}
	return s.tc.latest
}

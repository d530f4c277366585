package tcp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/dissect/stream"
)

// A clue is what tells, before a segment is taken, how it came.
type clue struct {
	sending
	// missing counts the bytes missing directly before it.
	missing int
	// since says whether it was sent after something that waits after it (1) or
	// before all of that (-1); 0 if nobody can say.
	since int
	// has and lacks are what the receiver said of it; skewed that the receiver
	// acknowledged it before it was captured in order.
	has, lacks, skewed bool
}

// acknowledged takes what the receiver of the stream says of it.
func (s *direction) acknowledged(f *flow.Frame) {
	s.acks.addACK(f)
	if !s.stream.Whole() && s.stream.Proven() {
		s.acks.prove(s.stream.Next() + uint32(s.stream.Missing()))
	}
}

// look gathers the clues of a segment.
func (s *direction) look(f *flow.Frame) {
	t := &f.Link.TCP
	w := s.files.Of(int(f.File))
	s.acks.sent(t)
	c := &s.clue
	c.set(f, w.Counts(f.Link.IPID))
	c.firstInFile = s.files.First(w, t.Seq)
	c.missing, c.since, c.has, c.lacks, c.skewed = 0, 0, false, false, false
	length := s.taken.Length
	if length == 0 {
		return
	}
	next := s.stream.Next()
	if int32(s.front-next) < 0 {
		s.front = next
	}
	d := int32(t.Seq - s.front)
	if d >= 0 {
		c.missing = int(d)
		c.skewed = d == 0 && s.stream.Begun() && s.acks.ack.answers(&c.sending)
		return
	}
	end := t.Seq + uint32(length)
	c.has, c.lacks = s.acks.has(&c.sending, end), s.acks.lacks(&c.sending, end)
	c.since = s.sentSince(end)
}

// sentSince is the clue of that name: for bytes up to end.
func (s *direction) sentSince(end uint32) (since int) {
	since = -1
	known := false
	for o := range s.stream.Behind(end) {
		known = true
		since = max(since, s.clue.sentSince(o.tsval, o.stamped, o.ipid))
	}
	if o := &s.gapBy; !known && s.gapAt != (order.Instant{}) && s.gap == s.stream.Next() {
		return s.clue.sentSince(o.tsval, o.stamped, o.ipid) // an ACK without bytes shows the hole
	}
	if !known {
		return 0
	}
	return since
}

// classify says how a segment came, and counts it.
func (s *direction) classify(place stream.Place, f *flow.Frame) flow.Note {
	if place == stream.Far {
		return flow.Stale
	}
	t, length := &f.Link.TCP, s.taken.Length
	end := t.Seq + uint32(length)
	s.files.Of(int(f.File)).Reach(end)
	if place == stream.Early {
		if next := s.stream.Next(); s.gapAt == (order.Instant{}) || s.gap != next {
			s.gap, s.gapAt, s.resent = next, order.Instant{Time: f.Time, Frames: s.tc.frames}, false
			s.gapBy = s.taken.From
		}
	}
	if length == 0 {
		return flow.InOrder // if some are missing, it is the frames before it
	}
	if int32(end-s.front) > 0 || place == stream.Next {
		s.front = end
	}
	switch place {
	case stream.Next:
		s.sent.note(&s.clue.sending, maxSent)
		if s.clue.skewed {
			s.tc.counters().Skewed++
		}
	case stream.Early:
		s.sent.note(&s.clue.sending, maxSent)
		return flow.Gap
	case stream.Filled:
		return s.filled(f)
	case stream.Old:
		return s.old(f)
	}
	return flow.InOrder
}

// comes says before a segment is taken whether it brings what was lost on the wire.
func (s *direction) comes(f *flow.Frame) flow.Note {
	t := &f.Link.TCP
	next := s.stream.Next()
	fills := s.taken.Length > 0 && !s.stream.Whole() && int32(t.Seq-next) <= 0 && int32(t.Seq+uint32(s.taken.Length)-next) > 0
	if fills && s.sentAgain(f) && !s.clue.has {
		return flow.LostOnWire
	}
	return flow.InOrder
}

// sentAgain reports whether a segment that brings what was missing so far was retransmitted, and did
// not just come late.
func (s *direction) sentAgain(f *flow.Frame) bool {
	c := &s.clue
	if c.since == 0 && !c.firstInFile {
		soon := !s.resent && f.Time-s.gapAt.Time < order.ReorderDelay && s.tc.frames-s.gapAt.Frames <= order.ReorderWindow
		return c.lacks || !soon
	}
	return c.since > 0
}

// filled judges a segment that brings what was missing so far.
func (s *direction) filled(f *flow.Frame) flow.Note {
	c, n := &s.clue, s.tc.counters()
	if !s.sentAgain(f) {
		s.sent.note(&c.sending, maxSent)
		n.Reordered++
		return flow.Reordered
	}
	s.again.note(&c.sending, maxResent)
	n.Retransmissions++
	if c.has {
		// The receiver had the first one: the capture lacks it.
		n.LostInCapture++
		return flow.Retransmission
	}
	n.LostOnWire++
	return flow.LostOnWire
}

// old judges a segment all of which was seen before.
func (s *direction) old(f *flow.Frame) flow.Note {
	c, n := &s.clue, s.tc.counters()
	known := s.sent.findCopy(&c.sending)
	if !known.same {
		again := s.again.findCopy(&c.sending)
		known.same = again.same
		known.any = known.any || again.any && again.first
		known.since = min(known.since, again.since)
	}
	gaveUp := s.gaveUp(c.seq)
	switch {
	case known.same:
		n.Duplicates++
		return flow.Duplicate
	case f.PayloadLength() <= 1:
		return flow.InOrder // a keep-alive probe
	case c.firstInFile && !known.any && !gaveUp:
		// Another file has it, in other pieces or long ago.
		n.Duplicates++
		return flow.Duplicate
	case known.any && known.since < 0, c.firstInFile && (gaveUp || known.since <= 0):
		s.sent.note(&c.sending, maxSent)
		n.Reordered++
		return flow.Reordered
	}
	c.second = !gaveUp
	s.again.note(&c.sending, maxResent)
	s.resent = true
	n.Retransmissions++
	return flow.Retransmission
}

// gaveUp reports whether a sequence number lies in the last hole that was given up.
func (s *direction) gaveUp(seq uint32) bool {
	at := s.pos - uint64(s.stream.Next()-seq)
	return s.hole.start <= at && at < s.hole.end
}

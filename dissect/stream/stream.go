package stream

// reach is how far apart in sequence numbers two segments of a stream can be:
// no window is larger (RFC 7323 section 2.3), and what is older than a window is
// not sent again.
const reach = 1 << 30

// A Stream is one direction of a TCP connection. Its zero value is ready: it
// begins with the SYN, or, where the capture began later, with the first
// segment that it is given. What such a late stream is given of the time before
// that segment is Old.
type Stream[T any] struct {
	begun bool
	syn   bool // the SYN was seen
	bare  bool // it began late, and only bare ACKs were seen since
	fin   bool // the FIN was seen
	ended bool // and was handed on

	// Positions are sequence numbers counted on in 64 bits.
	first uint64 // of the first byte
	next  uint64 // of the next byte to hand on
	front uint64 // after all that the sender is known to have sent
	acked uint64 // after all that the peer acknowledged, perhaps the FIN
	finAt uint64 // of the FIN, with fin
	doubt uint64 // of a sequence number held back by Skip, see hole

	waiting waiting[T]
}

// Begun reports whether the stream has begun.
func (s *Stream[T]) Begun() bool { return s.begun }

// Ended reports whether all was handed on, up to the FIN.
func (s *Stream[T]) Ended() bool { return s.ended }

// Next is the sequence number that is awaited next; after the FIN, once the
// stream has ended.
func (s *Stream[T]) Next() (seq uint32) {
	if s.ended {
		return uint32(s.next) + 1
	}
	return uint32(s.next)
}

// Waiting is how much waits after holes: segments, or parts of them, and the
// bytes kept of them. The caller bounds it with Skip; beyond MaxSegments and
// MaxBytes Add does.
func (s *Stream[T]) Waiting() (segments, size int) {
	return len(s.waiting.parts), s.waiting.bytes
}

// A run is what a segment brings: bytes from at on, up to cut captured and from
// there to end cut off by the snap length.
type run[T any] struct {
	at, cut, end uint64
	bytes        []byte
	from         *T
}

// Add takes a segment, and hands on what it brings and what waited for that.
// The segment's bytes need to be valid during the call only. For a segment that
// does not come in order, missing are the bytes missing so far between the
// last that was handed on and this segment: it is the same for one that follows
// directly on one that waits. For a bare ACK it counts a FIN that the capture
// lacks as one byte.
func (s *Stream[T]) Add(seg *Segment[T], to Sink[T]) (p Place, missing uint64) {
	length := max(seg.Length, 0)
	if length > reach {
		return Far, 0
	}
	seq := seg.Seq
	if seg.SYN {
		seq++
	}
	again := seg.SYN && s.syn // the SYN was seen before
	if !s.begun {
		s.beginAt(seq, !seg.SYN && length == 0)
	}
	at, near := s.position(seq)
	switch {
	case seg.SYN && (!near || at != s.first):
		return Anew, 0
	case !near:
		return Far, 0
	}
	if at == s.next && length > 0 && !seg.SYN && !seg.FIN && s.Whole() {
		s.bare = false
		s.follow(seg, to)
		return Next, 0
	}
	s.syn = s.syn || seg.SYN
	if length > 0 || seg.SYN || seg.FIN {
		s.decideFIN(at, to)
		s.bare = false
	}
	front := s.front
	fin := seg.FIN && s.takeFIN(at+uint64(length))
	if length == 0 {
		return s.addEmpty(at, !fin && (seg.FIN || again), to)
	}
	r := run[T]{at: at, end: at + uint64(length), bytes: seg.Bytes[:min(len(seg.Bytes), length)], from: &seg.From}
	if s.fin {
		if r.end = min(r.end, s.finAt); r.at >= r.end {
			return Far, 0
		}
		r.bytes = r.bytes[:min(uint64(len(r.bytes)), r.end-r.at)]
	}
	r.cut = r.at + uint64(len(r.bytes))
	if r.end <= s.next {
		if !fin {
			return Old, 0
		}
		s.endStream(to)
		return Next, 0
	}
	s.front = max(s.front, r.end)
	if r.at <= s.next {
		p = Next
		if front > s.next {
			p = Filled
		}
		s.drain(&r, to)
		return p, 0
	}
	missing = s.missing(r.at)
	switch news := s.waiting.addRun(&r); {
	case news < min(front, r.end):
		p = Filled
	case news < r.end || fin:
		p = Early
	default:
		p = Old
	}
	for s.waiting.tooMuch() {
		s.Skip(to)
	}
	return p, missing
}

// follow takes a segment whose bytes come next, while nothing waits: the common case
// of Add.
func (s *Stream[T]) follow(seg *Segment[T], to Sink[T]) {
	data := seg.Bytes[:min(len(seg.Bytes), seg.Length)]
	s.front = s.next + uint64(seg.Length)
	if len(data) > 0 {
		s.next += uint64(len(data))
		to.Bytes(data, &seg.From)
	}
	if n := s.front - s.next; n > 0 {
		s.next = s.front
		to.Void(n, true, &seg.From)
	}
}

// addEmpty takes a segment without payload; old says that it has a SYN or FIN, and
// that was seen before.
func (s *Stream[T]) addEmpty(at uint64, old bool, to Sink[T]) (p Place, missing uint64) {
	switch {
	case s.ended && at == s.finAt+1: // an ACK after the FIN
		return Empty, 0
	case s.fin && at > s.finAt+1:
		return Far, 0
	case old || at < s.next || s.ended:
		return Old, 0
	case at == s.next:
		s.endStream(to)
		return Empty, 0
	}
	if s.fin {
		at = min(at, s.finAt)
	}
	s.front = max(s.front, at)
	if s.hole() == s.next {
		// One number is missing, and it may be that of a FIN.
		return Empty, 0
	}
	return Early, s.missing(at)
}

// beginAt makes the byte at seq the first.
func (s *Stream[T]) beginAt(seq uint32, bare bool) {
	s.begun, s.bare = true, bare
	// Nothing that is near lies before zero.
	s.first = 1<<32 + uint64(seq)
	s.next, s.front, s.acked = s.first, s.first, s.first
}

// position is the position of a sequence number, and whether it is near enough
// to the stream to be of it.
func (s *Stream[T]) position(seq uint32) (at uint64, near bool) {
	d := int32(seq - uint32(s.next))
	return s.next + uint64(int64(d)), -reach <= d && d <= reach
}

// decideFIN decides on one sequence number directly before a segment that shows
// that no FIN had it.
func (s *Stream[T]) decideFIN(at uint64, to Sink[T]) {
	if at != s.next+1 || s.fin {
		return
	}
	switch {
	case s.bare:
		// A keep-alive probe names the byte before the next one
		// (RFC 9293 section 3.8.4): the capture began with one.
		s.first, s.next = at, at
	case s.doubt == s.next:
		s.giveUp(at, to)
	}
}

// takeFIN notes the FIN, unless one is known or bytes after it are.
func (s *Stream[T]) takeFIN(at uint64) bool {
	if s.fin || at < max(s.next, s.waiting.endOfWaiting()) {
		return false
	}
	s.fin, s.finAt = true, at
	return true
}

// drain hands on all that follows without a hole, of what waits and of r, which
// does not begin after the next byte. What waits was captured first.
func (s *Stream[T]) drain(r *run[T], to Sink[T]) {
	w := &s.waiting
	n := 0 // parts done
	for {
		for n < len(w.parts) && w.parts[n].end <= s.next {
			n++
		}
		at, upto := s.next, r.end
		var p *part[T] // that covers it
		if n < len(w.parts) {
			if q := w.parts[n]; q.at <= at {
				p, upto = q, q.end
			} else {
				upto = min(upto, q.at)
			}
		}
		switch {
		case p != nil && !p.cut:
			s.next = upto
			to.Bytes(p.bytes[at-p.at:], &p.from)
		case at < r.cut:
			s.next = min(upto, r.cut)
			to.Bytes(r.bytes[at-r.at:s.next-r.at], r.from)
		case p != nil:
			s.next = upto
			to.Void(upto-at, true, &p.from)
		case at < r.end:
			s.next = upto
			to.Void(upto-at, true, r.from)
		default:
			w.drop(n)
			s.endStream(to)
			return
		}
	}
}

// endStream hands on the FIN if it is next.
func (s *Stream[T]) endStream(to Sink[T]) {
	if s.fin && !s.ended && s.next == s.finAt {
		s.ended = true
		to.End()
	}
}

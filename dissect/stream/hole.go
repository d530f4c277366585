package stream

import "iter"

// Acked notes that the peer acknowledged all before ack: what is missing of it
// reached the peer, and is missing only from the capture. It is ignored before
// the stream has begun.
func (s *Stream[T]) Acked(ack uint32) {
	if !s.begun {
		return
	}
	if at, near := s.position(ack); near {
		s.acked = max(s.acked, at)
	}
}

// hole is where the first hole ends; it begins at next. A hole ends at what
// waits after it, or at the FIN. If nothing is there after it, that it is there
// is known from what the peer acknowledged, or from the sequence number of a bare
// ACK; and then its last sequence number is left out, as it may have been that of
// a FIN, which is no byte.
func (s *Stream[T]) hole() (end uint64) {
	if parts := s.waiting.parts; len(parts) > 0 {
		return parts[0].at
	}
	if s.fin {
		return s.finAt
	}
	if s.next < s.acked && s.acked < s.front {
		return s.acked
	}
	if last := max(s.acked, s.front); s.next < last {
		return last - 1
	}
	return s.next
}

// Whole reports whether nothing waits and nothing is known to be missing, while the FIN
// was not seen: the common case, in which there is no hole.
func (s *Stream[T]) Whole() bool {
	return len(s.waiting.parts) == 0 && !s.fin && s.next >= s.acked && s.next >= s.front
}

// Missing is the length of the first hole in bytes, 0 if there is none.
func (s *Stream[T]) Missing() uint64 { return s.hole() - s.next }

// Proven reports whether there is a hole and the peer acknowledged all of the
// first one: also if nothing came after it. The capture may still have what
// fills it out of order, a little later.
func (s *Stream[T]) Proven() bool {
	end := s.hole()
	return s.next < end && end <= s.acked
}

// Skip gives up the first hole: it is handed on as a Void, and what waits after
// it follows, up to the next hole. It reports the bytes given up, 0 if there is
// no hole.
func (s *Stream[T]) Skip(to Sink[T]) (n uint64) {
	end := s.hole()
	if n = end - s.next; n == 0 {
		return 0
	}
	if end+1 == max(s.acked, s.front) && !s.fin && len(s.waiting.parts) == 0 {
		// Should the sender go on after the number that was left out, it
		// was a byte's, and as much given up as the others.
		s.doubt = end
	}
	s.giveUp(end, to)
	return n
}

// giveUp hands on the bytes before end as a Void, and then what follows.
func (s *Stream[T]) giveUp(end uint64, to Sink[T]) {
	n := end - s.next
	s.next = end
	s.front = max(s.front, end)
	s.bare = false // what the stream began with is no longer next
	to.Void(n, false, nil)
	s.drain(&run[T]{}, to)
}

// After goes through what waits at or after a sequence number, in the order of
// the stream: what the caller knows of the segments that it came with. One may come
// more than once.
func (s *Stream[T]) Behind(seq uint32) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		at, near := s.position(seq)
		if !near {
			return
		}
		for _, p := range s.waiting.parts {
			if p.at >= at && !yield(&p.from) {
				return
			}
		}
	}
}

// missing counts the bytes missing between next and at.
func (s *Stream[T]) missing(at uint64) uint64 {
	return at - s.next - s.waiting.before(at)
}

package story

// A place is one in the order in which an end sends: PSNs have 24 bits and sequence numbers of TCP
// 32. Both are in the upper bits of a place, so that they wrap alike.
type place uint32

// psn is the place of a packet.
func psn(n uint32) place { return place(n << 8) }

// before reports whether a place comes before another.
func (p place) before(o place) bool { return int32(o-p) > 0 }

// A span is where an RPC's frames are among those of one end.
type span struct {
	// begins are the places at which they begin, each with where it ends: so many as the RPC has
	// frames.
	begins map[place]place
	// end is the last place of all of them.
	end place
}

// take takes a frame of the RPC from its first to its last place.
func (s *span) take(first, last place) {
	if s.begins == nil {
		s.begins = make(map[place]place)
		s.end = last
	}
	s.begins[first] = last
	if s.end.before(last) {
		s.end = last
	}
}

// has reports whether a frame of the RPC begins at a place: another that does carries the same.
func (s *span) has(first place) bool {
	_, has := s.begins[first]
	return has
}

// ends reports whether a frame of the RPC ends at a place.
func (s *span) ends(last place) bool {
	for _, end := range s.begins {
		if end == last {
			return true
		}
	}
	return false
}

// covers reports whether who has all up to a place has all of the RPC's frames; not if there are
// none.
func (s *span) covers(upTo place) bool { return s.begins != nil && !upTo.before(s.end) }

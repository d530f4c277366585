package trail

// A run is places that follow one another.
type run struct{ first, last place }

// mostRuns is how many runs are remembered: what is retransmitted was sent not long ago.
const mostRuns = 128

// A span is where frames of the RPCs are among those of one end.
type span struct {
	// runs are the newest ones, next is where the next run goes.
	runs []run
	next int
	// end is the last place of all of them, and open says that nothing was seen yet that
	// acknowledges it.
	end  place
	open bool
}

// extend takes a frame of the RPCs from its first to its last place.
func (s *span) extend(first, last place) {
	if len(s.runs) == 0 || s.end.before(last) {
		s.end, s.open = last, true
	}
	for i := range s.runs {
		// Most frames follow the one before.
		r := &s.runs[(s.next+len(s.runs)-1-i)%len(s.runs)]
		if !first.before(r.first) && !(r.last + 1).before(first) {
			if r.last.before(last) {
				r.last = last
			}
			return
		}
	}
	if len(s.runs) < mostRuns {
		s.runs = append(s.runs, run{first, last})
		s.next = len(s.runs) % mostRuns
		return
	}
	s.runs[s.next] = run{first, last}
	s.next = (s.next + 1) % mostRuns
}

// has reports whether some of the places from the first to the last are of frames of the RPCs.
func (s *span) has(first, last place) bool {
	for _, r := range s.runs {
		if !last.before(r.first) && !r.last.before(first) {
			return true
		}
	}
	return false
}

// covers reports whether who has all up to a place has all of the RPCs' frames; not if there are
// none.
func (s *span) covers(upTo place) bool { return len(s.runs) > 0 && !upTo.before(s.end) }

// acknowledge reports whether who has all up to a place is the first to say so of the newest frame
// of the RPCs.
func (s *span) acknowledge(upTo place) bool {
	if !s.open || !s.covers(upTo) {
		return false
	}
	s.open = false
	return true
}

package iwarp

import "slices"

// A store keeps bytes of a stream, with what the capture lacks between them.
//
//	position  100        140     300         380      at
//	           |██████████|       |███████████|        |
//	           run 0       gap 160 run 1       gap, or the end
type store struct {
	buf  []byte
	base int // what was dropped from the front of buf, of all that was ever in it
	runs []run
	gone int // runs at the front that were dropped
	// begins are the positions where the data of a call began, sorted.
	begins []uint64
}

// A run is bytes without interruption.
type run struct {
	at  uint64 // position of the first
	off int    // its place in all that was ever in buf
	n   int    // bytes
	gap uint64 // bytes that are missing after them
	cut Cut    // why, with a gap
}

// maxRuns bounds a store against a stream that misses every other byte.
const maxRuns = 4096

func (s *store) empty() bool { return s.gone == len(s.runs) }

// reset empties the store. Memory that most FPDUs do not need is given back.
func (s *store) reset() {
	const usual = 32 << 10 // bytes
	if cap(s.buf) > usual {
		*s = store{}
	}
	*s = store{buf: s.buf[:0], runs: s.runs[:0], begins: s.begins[:0]}
}

// addBytes appends bytes at that position, which is behind all before. Begins says
// that the data of a call begins there. A store of maxRuns runs takes no further
// one: these bytes are then as good as missing.
func (s *store) addBytes(at uint64, b []byte, begins bool) {
	if n := len(s.runs); s.empty() || s.runs[n-1].gap > 0 {
		if n-s.gone >= maxRuns {
			s.runs[n-1].gap += uint64(len(b))
			return
		}
		s.runs = append(s.runs, run{at: at, off: s.base + len(s.buf)})
	}
	if begins {
		s.begins = append(s.begins, at)
	}
	s.runs[len(s.runs)-1].n += len(b)
	s.buf = append(s.buf, b...)
}

// void says that n bytes are missing after all before.
func (s *store) void(n uint64, why Cut) {
	if s.empty() {
		return
	}
	last := &s.runs[len(s.runs)-1]
	if last.gap == 0 {
		last.cut = why
	}
	last.gap += n
}

// from returns the bytes from a position to where one is missing or none has
// come yet: cut is Whole in the latter case. There are none if the one at the
// position is missing.
func (s *store) from(at uint64) (b []byte, cut Cut) {
	runs := s.runs[s.gone:]
	i := 0
	if len(runs) > 1 {
		i, _ = slices.BinarySearchFunc(runs, at, func(r run, at uint64) int {
			if r.at+uint64(r.n)+r.gap <= at {
				return -1
			}
			return 1
		})
	}
	if i == len(runs) || at < runs[i].at {
		return nil, CutByLoss
	}
	r := &runs[i]
	if r.gap > 0 {
		cut = r.cut
	}
	skip := at - r.at
	if skip >= uint64(r.n) {
		return nil, cut
	}
	off := r.off - s.base
	return s.buf[off+int(skip) : off+r.n], cut
}

// beginAt reports whether the data of a call began at that position.
func (s *store) beginAt(at uint64) bool {
	_, found := slices.BinarySearch(s.begins, at)
	return found
}

// drop forgets all before a position. What it moves down in memory is never
// more than what it has dropped before.
func (s *store) drop(at uint64) {
	for s.gone < len(s.runs) {
		r := &s.runs[s.gone]
		if r.at+uint64(r.n) > at {
			if skip := int(max(at, r.at) - r.at); skip > 0 {
				r.at, r.off, r.n = at, r.off+skip, r.n-skip
			}
			break
		}
		s.gone++
	}
	if s.empty() {
		s.reset()
		return
	}
	if n := s.runs[s.gone].off - s.base; n > len(s.buf)/2 {
		s.buf = s.buf[:copy(s.buf, s.buf[n:])]
		s.base += n
	}
	if s.gone > len(s.runs)/2 {
		s.runs = s.runs[:copy(s.runs, s.runs[s.gone:])]
		s.gone = 0
	}
	if i, _ := slices.BinarySearch(s.begins, at); i > len(s.begins)/2 {
		s.begins = s.begins[:copy(s.begins, s.begins[i:])]
	}
}

// behindGap is the position after the bytes that are missing next after at,
// end if nothing comes after them.
func (s *store) behindGap(at, end uint64) uint64 {
	for i := s.gone; i < len(s.runs); i++ {
		r := &s.runs[i]
		if at < r.at {
			return r.at
		}
		if next := r.at + uint64(r.n) + r.gap; at < next {
			return next
		}
	}
	return end
}

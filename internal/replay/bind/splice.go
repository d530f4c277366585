package bind

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// A splice writes a message anew, with other bytes in place of some items. Lengths
// around them and Positions after them follow:
//
//	captured   | length | attributes ... | length | handle    | pad | ... |
//	written    | longer | attributes ... | longer | other handle    | ... |
type splice struct {
	from    *contents
	out     []byte
	at      int // what of the message is written so far
	holders []holder
	moved   []move
}

// A holder is opaque data that are being written: where they end in the message, and
// where they begin in what is written.
type holder struct{ end, start int }

// A move says that what lies after a Position of the captured message, before the next
// move, lies by so many bytes further on.
type move struct {
	position uint64
	by       int64
}

// item goes on to an item; with live, it is replaced. It reports whether that fits.
func (s *splice) item(it *item, live []byte) bool {
	s.leave(it.at)
	switch {
	case it.at < s.at || it.inChunk:
		return false // within what is replaced already
	case it.holds:
		s.copy(it.at)
		s.holders = append(s.holders, holder{it.at + it.n, len(s.out)})
		return true
	case live == nil:
		return true
	case !it.variable && len(live) != it.n:
		return false
	}
	if it.variable {
		s.copy(it.at - 4)
		s.out = binary.BigEndian.AppendUint32(s.out, uint32(len(live)))
		if d := padded(len(live)) - padded(it.n); d != 0 {
			by := int64(d)
			if n := len(s.moved); n > 0 {
				by += s.moved[n-1].by
			}
			s.moved = append(s.moved, move{it.position, by})
		}
		s.at = min(it.at+padded(it.n), len(s.from.bytes))
	} else {
		s.copy(it.at)
		s.at = it.at + it.n
	}
	s.out = append(s.out, live...)
	if it.variable {
		s.pad(len(live))
	}
	return true
}

// copy takes bytes over as they are.
func (s *splice) copy(end int) {
	if end > s.at {
		s.out = append(s.out, s.from.bytes[s.at:end]...)
		s.at = end
	}
}

// leave ends the opaque data that end before a byte of the message.
func (s *splice) leave(before int) {
	for n := len(s.holders); n > 0 && s.holders[n-1].end <= before; n = len(s.holders) {
		h := s.holders[n-1]
		s.holders = s.holders[:n-1]
		s.copy(h.end)
		length := len(s.out) - h.start
		old := int(binary.BigEndian.Uint32(s.out[h.start-4:]))
		if length == old {
			continue // the pad is copied with what follows
		}
		binary.BigEndian.PutUint32(s.out[h.start-4:], uint32(length))
		s.pad(length)
		s.at = min(s.at+padded(old)-old, len(s.from.bytes))
	}
}

// finish writes what is left.
func (s *splice) finish() []byte {
	s.leave(len(s.from.bytes))
	s.copy(len(s.from.bytes))
	return s.out
}

// reads are Read chunks at the Positions where their data belong now.
func (s *splice) reads(captured []walk.ReadChunk) []walk.ReadChunk {
	moved := slices.Clone(captured)
	for i := range moved {
		at := uint64(captured[i].Position)
		if n := sort.Search(len(s.moved), func(j int) bool { return s.moved[j].position >= at }); n > 0 {
			moved[i].Position = uint32(int64(at) + s.moved[n-1].by)
		}
	}
	return moved
}

func (s *splice) pad(n int) {
	for ; n%4 != 0; n++ {
		s.out = append(s.out, 0)
	}
}

// padded is a length with its pad (RFC 4506, section 4.10).
func padded(n int) int { return (n + 3) &^ 3 }

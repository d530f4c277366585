package walk

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
)

// A ReadChunk is a Read chunk of a call (RFC 8166, section 3.4.5): where in the
// unreduced RPC message its data belong, and how many bytes its segments
// have together. Some senders count the pad in.
type ReadChunk struct{ Position, Length uint32 }

// A Reduction says what of a message travelled in chunks. The zero Reduction
// is that of a message that is all inline.
type Reduction struct {
	// Start is the Position of the first byte that is walked over: the length
	// of the RPC header before it.
	Start uint32
	// Reads are the Read chunks of a call in ascending order of Position,
	// without the one at Position zero, which is the stream itself. A result
	// has none.
	Reads []ReadChunk
	// Writes are the lengths of a reply's Write chunks, as they were returned.
	// They belong to the eligible items in their order; one of length 0 was
	// not used, and its item is inline (see Walker.Skipped for another reading
	// of these). Arguments have none.
	Writes []uint32
}

// unusedFirst reports whether a chunk that was not used comes before one that
// was.
func (r *Reduction) unusedFirst() bool {
	unused := false
	for _, n := range r.Writes {
		if unused && n > 0 {
			return true
		}
		unused = unused || n == 0
	}
	return false
}

// Reasons of faults.
const (
	reasonCut      = "XDR item cut short"
	reasonPosition = "the Position of a Read chunk is not where the data of an item starts"
	reasonBool     = "Boolean is neither 0 nor 1"
	reasonArm      = "union has no arm for the discriminant"
	reasonDeep     = "items nest too deep"
	reasonChunk    = "a Write chunk does not have the length of its item"
	reasonSplit    = "cannot be decoded beyond an item that is longer than its chunk"
)

// Reasons of what is wrong inside opaque data.
const (
	reasonAttribute = "a bit that is set has no known attribute"
	reasonContent   = "nothing is known of such a content"
	reasonBehind    = "bytes follow the content"
)

// maxDepth bounds how deep items nest in each other.
const maxDepth = 64

// A Stream is a cursor over a message from which data may have been removed: it knows
// both the inline bytes and the Position in the unreduced message. The Walker goes
// over one, and whoever wants to see every field does.
type Stream struct {
	xdr.Cursor
	// removed is how many bytes, with their pads, were left out so far.
	removed uint64
	// stop is the inline offset at which the data of the next Read chunk
	// belong. To read past it proves that no item begins there.
	stop int
	// within counts the contents that are read: nothing is removed from them.
	within int
	// reads and writes are how many chunks were taken.
	reads, writes int
	// skip says that Write chunks of length 0 are passed over, strict that nothing is read
	// after an item that is longer than its chunk.
	skip, strict bool
	// short says that there was such an item, split after which inline byte reading ended
	// for it, if it did.
	short     bool
	split     int
	bytes     []byte
	reduction Reduction
}

// Begin begins with the first of the bytes; with skip Write chunks of length 0 belong
// to no item (see Walker.Skipped), with strict reading ends after an item that is longer
// than its chunk (see Walker.Split).
func (s *Stream) Begin(data []byte, r Reduction, skip, strict bool) {
	*s = Stream{}
	s.Cursor, s.reduction, s.skip, s.strict, s.bytes = xdr.NewCursor(data, reasonCut), r, skip, strict, data
	s.expect()
}

// expect sets stop for the next Read chunk.
func (s *Stream) expect() {
	s.stop = math.MaxInt
	if s.reads < len(s.reduction.Reads) {
		// One that lies after makes stop lie after.
		s.stop = int(int64(s.reduction.Reads[s.reads].Position) - int64(s.reduction.Start) - int64(s.removed))
	}
}

// Position is that in the unreduced message of the next byte.
func (s *Stream) Position() uint64 {
	return uint64(s.reduction.Start) + s.removed + uint64(s.Offset())
}

// Past reports whether reading went past the next Read chunk, which is a fault.
func (s *Stream) Past() bool { return s.Offset() > s.stop && s.within == 0 && s.overran() }

// overran is past's unusual case. It is kept out of line, so that the usual one
// costs little where it is inlined.
//
//go:noinline
func (s *Stream) overran() bool {
	s.Fail(max(0, s.stop), reasonPosition)
	return true
}

// OpaqueData says where opaque data or a string lie.
type OpaqueData struct {
	Position uint64 // of the data in the unreduced message
	Offset   int    // of the data, or of where they would be
	Length   uint32 // bytes, without the pad
	Chunk    int32  // the index of its chunk, -1 if they are inline
}

// ReadOpaque reads opaque data of at most limit bytes, which fits an int. What it
// returns counts unless the stream is bad afterwards.
func (s *Stream) ReadOpaque(limit uint64, eligible bool) (it OpaqueData) {
	at := s.Offset()
	it.Position, it.Offset, it.Chunk = s.Position()+4, at+4, -1
	hasWrite := eligible && s.nextWrite()
	if s.within > 0 || it.Offset != s.stop && !hasWrite {
		it.Length = uint32(len(s.Opaque(int(limit))))
		s.Past()
		return it
	}
	return s.chunked(it, limit)
}

// nextWrite reports whether there is a Write chunk for an eligible item.
func (s *Stream) nextWrite() bool {
	if s.skip && s.within == 0 {
		for s.writes < len(s.reduction.Writes) && s.reduction.Writes[s.writes] == 0 {
			s.writes++
		}
	}
	return s.writes < len(s.reduction.Writes)
}

// chunked reads opaque data that a chunk belongs to.
func (s *Stream) chunked(it OpaqueData, limit uint64) OpaqueData {
	ahead := s.Cursor
	it.Length = ahead.Uint32()
	switch {
	case ahead.Bad():
	case it.Offset == s.stop:
		it.Chunk = int32(s.reads)
		s.reads++
	default:
		if s.reduction.Writes[s.writes] > 0 {
			it.Chunk = int32(s.writes)
		}
		s.writes++
	}
	if it.Chunk < 0 {
		s.Opaque(int(limit))
		s.Past()
		return it
	}
	s.Cursor = ahead
	if uint64(it.Length) > limit {
		s.Fail(it.Offset-4, "length is above its limit")
		return it
	}
	if s.skip {
		// This reading is a guess, so that it has to fit: some senders count
		// the pad in.
		if n := uint64(s.reduction.Writes[it.Chunk]); n < uint64(it.Length) || n > (uint64(it.Length)+3)&^3 {
			s.Fail(it.Offset-4, reasonChunk)
			return it
		}
	}
	s.removed += (uint64(it.Length) + 3) &^ 3
	s.expect()
	if s.inChunk(&it) < it.Length {
		s.shorter(it.Offset)
	}
	return it
}

// inChunk is how many bytes the chunk of data has.
func (s *Stream) inChunk(it *OpaqueData) uint32 {
	if len(s.reduction.Writes) > 0 {
		return s.reduction.Writes[it.Chunk]
	}
	return s.reduction.Reads[it.Chunk].Length
}

// shorter notes a chunk that is shorter than its item, whose data begin at an inline offset.
func (s *Stream) shorter(at int) {
	s.short = true
	if s.strict {
		s.split = at
		s.Cursor = xdr.NewCursor(s.bytes[:at], reasonSplit)
		s.Skip(at)
	}
}

// Enter begins to read the bytes of an item as items themselves; the result
// is for leave.
func (s *Stream) Enter(data []byte, it OpaqueData) (outer xdr.Cursor) {
	outer = s.Cursor
	s.Cursor = xdr.NewCursor(data[:it.Offset+int(it.Length)], reasonCut)
	s.Skip(it.Offset)
	s.within++
	return outer
}

// Leave goes on after the item.
func (s *Stream) Leave(outer xdr.Cursor) {
	s.Cursor = outer
	s.within--
}

// End looks at what was read and returns the fault, and whether it is only
// that the bytes end too early.
func (s *Stream) End() (f field.Fault, cut bool) {
	if s.split > 0 {
		return field.Fault{Offset: s.split, Reason: reasonSplit}, false
	}
	if s.Bad() {
		// What was read past the Position of a chunk is not what it seems,
		// and neither is a fault there.
		if f = s.Fault(); f.Offset >= s.stop {
			return field.Fault{Offset: max(0, s.stop), Reason: reasonPosition}, false
		}
		return f, s.Cut()
	}
	s.Past()
	return s.Fault(), false
}

// TooDeep reports whether items nest deeper than is read, which is a fault.
func (s *Stream) TooDeep(depth int) bool {
	if depth > maxDepth {
		s.Fail(s.Offset(), reasonDeep)
		return true
	}
	return false
}

// NoArm notes that the discriminant at an offset selects no arm of its union. Where a
// Read chunk's Position lies within that word, there is no discriminant, and the Position
// is the fault. It is out of line, as it is unusual.
//
//go:noinline
func (s *Stream) NoArm(at int) {
	if !s.Past() {
		s.Fail(at, reasonArm)
	}
}

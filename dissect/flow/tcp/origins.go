package tcp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A run of bytes of the stream that came with one frame.
type run struct {
	start, end uint64
	in         int // offset in the payload of the frame that is taken, -1 if it is not of that
	at         int // offset in the frame that brought it, -1 if that lacks them
	origin
}

// origin is the frame that bytes came with.
type origin struct {
	ref     flow.Ref
	time    int64
	seq     int64  // frame count of the connection
	ack     uint32 // what the sender awaits next from its peer
	tsval   uint32 // if it is stamped
	ipid    uint16 // IPv4 identification
	stamped bool   // it has time stamps
	first   uint32 // sequence number of the first byte of its payload
	data    int32  // offset of that in the frame
	begins  int32  // where in it an FPDU is known to begin, -1 if none is
}

// set makes o a frame as the origin of bytes; seq is its count.
func (o *origin) set(f *flow.Frame, seq int64) {
	t := &f.Link.TCP
	o.ref, o.time, o.seq = f.Ref(), f.Time, seq
	o.ack, o.tsval, o.stamped = t.Ack, t.TSval, t.HasTSval
	o.ipid, o.data = f.Link.IPID, int32(f.Link.TCPData())
	o.first, o.begins = t.Seq, int32(f.Begins())
	if t.Flags.Has(link.SYN) {
		o.first++
	}
}

// originate notes that a frame brought bytes, from a position of the stream on.
func (s *direction) originate(start uint64, b []byte, from *origin) {
	in := s.within(b)
	if in >= 0 {
		s.zero = from.first + uint32(in) - uint32(start) // a stream that began late may begin later
	}
	at := -1
	if d := int32(s.zero + uint32(start) - from.first); d >= 0 {
		at = int(from.data) + int(d)
	}
	r := s.nextRun()
	r.start, r.end, r.in, r.at = start, start+uint64(len(b)), in, at
	r.origin = *from
}

// nextRun adds a run, to be filled.
func (s *direction) nextRun() *run {
	n := len(s.origins)
	if n < cap(s.origins) {
		s.origins = s.origins[:n+1]
	} else {
		s.origins = append(s.origins, run{})
	}
	return &s.origins[n]
}

// within is the offset of b in the payload of the segment that is taken, -1 if
// it is not a part of that but a copy that waited.
func (s *direction) within(b []byte) int {
	at := cap(s.payload) - cap(b)
	if at < 0 || at >= len(s.payload) || len(b) == 0 || &s.payload[at] != &b[0] {
		return -1
	}
	return at
}

// prune forgets the origins of bytes that nobody looks at any more.
func (s *direction) prune() {
	held := s.pos
	switch s.phase {
	case framing:
		held = s.base + s.framer.Held()
	default:
		held -= uint64(len(s.head))
	}
	n := 0
	for n < len(s.origins) && s.origins[n].end <= held {
		n++
	}
	switch {
	case n == 0:
	case n == len(s.origins):
		s.origins = s.origins[:0]
	default:
		s.origins = s.origins[:copy(s.origins, s.origins[n:])]
	}
}

// framesOf returns the frames that brought the bytes from start to end of the
// stream, and the first's and the last's time and count. The list is used again.
func (s *direction) framesOf(start, end uint64) (refs []flow.Ref, first, last, seq int64) {
	s.refs = s.refs[:0]
	for i := s.runAt(start); i < len(s.origins) && s.origins[i].start < end; i++ {
		o := &s.origins[i]
		if n := len(s.refs); n == 0 {
			first = o.time
		} else if s.refs[n-1] == o.ref {
			continue
		}
		s.refs = append(s.refs, o.ref)
		last, seq = o.time, max(seq, o.seq)
	}
	return s.refs, first, last, seq
}

// runAt is the index of the first of the origins that does not end before a
// position of the stream.
func (s *direction) runAt(at uint64) int {
	low, high := 0, len(s.origins)
	for low < high {
		if middle := int(uint(low+high) >> 1); s.origins[middle].end <= at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// begins is where in bytes from a position of the stream on an FPDU is known to begin, negative if
// that is not known: a copy of some frames says so where it has no FPDU before.
func (s *direction) begins(start uint64, from *origin) int {
	if from.begins < 0 {
		return -1
	}
	return int(from.begins) - int(int32(s.zero+uint32(start)-from.first))
}

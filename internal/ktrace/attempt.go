package ktrace

// list is one of a transport header's three lists, in the order in which the
// client encodes them.
type list int

const (
	readList list = iota
	writeList
	replyChunk
	lists
)

// An attempt gathers the segments of one task from line to line, until its
// xprtrdma_marshal line takes them. The client encodes the Read list, the
// Write list and the Reply chunk in this order, each at most one chunk, so a
// segment that cannot come next begins another attempt:
//
//   - it belongs to a list before the one that the attempt has come to;
//   - its list had its "(last)" segment already;
//   - it describes the memory of the attempt's very first segment again
//     (same list, Position, length and offset, under a new handle). This is
//     what running out of registrations looks like: the first segment, "(more)",
//     and then the first segment once more.
type attempt struct {
	segments  [lists][]Segment
	first     Segment // the attempt's first segment, in list firstIn
	firstIn   list
	at        list // the list that the attempt has come to
	ended     bool // that list had its "(last)"
	empty     bool
	abandoned int // segments of the attempts before
}

func newAttempt() *attempt { return &attempt{empty: true} }

// addSegment takes the segment of one line; last is its "(last)".
func (a *attempt) addSegment(l list, s Segment, last bool) {
	if !a.empty && a.restarts(l, s) {
		*a = attempt{empty: true, abandoned: a.abandoned + a.count()}
	}
	if a.empty {
		a.first, a.firstIn, a.empty = s, l, false
	}
	a.segments[l] = append(a.segments[l], s)
	a.at, a.ended = l, last
}

// pad takes the segment that receives the pad of a Write chunk of unaligned
// length. It is persistent memory with a handle of its own, after a "(last)".
func (a *attempt) pad(s Segment) {
	a.segments[writeList] = append(a.segments[writeList], s)
	a.at, a.ended, a.empty = writeList, true, false
}

func (a *attempt) restarts(l list, s Segment) bool {
	if l < a.at || l == a.at && a.ended {
		return true
	}
	f := a.first
	return l == a.firstIn && s.Position == f.Position && s.Length == f.Length && s.Offset == f.Offset
}

func (a *attempt) count() (n int) {
	for _, s := range a.segments {
		n += len(s)
	}
	return n
}

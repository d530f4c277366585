package scene

import (
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// sending is what a text says of one Send: of a call, a reply or an error.
type sending struct {
	line int
	dir  build.Direction
	head head

	reads      []*chunk
	writes     []*chunk
	replychunk *chunk
	long       *chunk
	reduce     []*target
	hasReduce  bool
	keepPad    bool

	xid           uint32
	hasXID        bool
	proc          uint32
	hasProc       bool
	align, thresh uint32
	payload       []byte
	hasPayload    bool
	edits         []edit
	second
	invalidate    uint32
	hasInvalidate bool
	quiet, lost   bool
}

// A sent is a Send that was made.
type sent struct {
	dir    build.Direction
	span   build.Span // empty while its frames wait to be cut
	length int
	places map[string]extent
	pieces func() []build.Piece
	// first and last are its PSNs over RoCE.
	first, last uint32
}

// shared takes an option that any Send may have; it reports whether it was one.
func (s *sending) shared(c *cursor, word string) bool {
	switch word {
	case "read":
		s.reads = append(s.reads, c.chunk())
	case "reduce":
		s.hasReduce = true
		if t := c.target(); !t.none {
			s.reduce = append(s.reduce, t)
		}
	case "keep":
		c.one("pad")
		s.keepPad = true
	case "invalidate":
		s.invalidate, s.hasInvalidate = c.number32("a handle"), true
	case "noack":
		s.quiet = true
	case "lost":
		s.lost = true
	default:
		return s.head.option(c, word) || s.second.parseOption(c, word) || s.change(c, word)
	}
	return true
}

// options takes all options, those of own first.
func (s *sending) options(list []*cursor, own func(c *cursor, word string) bool) {
	for _, c := range list {
		word := c.word("an option")
		if c.err == nil && !own(c, word) && !s.shared(c, word) {
			c.fail("%s is no option here", word)
		}
		c.expectEnd()
	}
}

// readList lays out the Read list: the segments, and which items they move.
func (s *sending) readList(tr *trouble, m *message) (list []build.ReadSegment, moved []item) {
	for _, k := range s.reads {
		it, position, ok := k.moves(tr, m, moved)
		if position < 0 {
			tr.failf(k.line, "the Position would be %d", position)
		}
		if !ok {
			it = item{start: len(m.bytes)}
		}
		moved = append(moved, it)
		k.fit(it.length)
		for _, seg := range k.segments {
			list = append(list, build.ReadSegment{Position: uint32(position), Segment: seg})
		}
	}
	return list, moved
}

// moves is the item that a Read chunk moves and the Position that it has, where
// some items have moved already; not ok if it moves none.
func (k *chunk) moves(tr *trouble, m *message, moved []item) (it item, position int, ok bool) {
	if k.at != nil && !k.at.isPosition {
		it, ok = k.at.findItem(tr, m)
		return it, it.start + k.at.plus, ok
	}
	if k.at != nil {
		if it, ok = m.starting(k.at.from); ok {
			return it, it.start, true
		}
	}
	for _, e := range m.eligible() {
		if !slices.Contains(moved, e) {
			it, ok = e, true
			break
		}
	}
	switch {
	case k.at != nil:
		return it, k.at.from, ok
	case !ok:
		tr.failf(k.line, "no eligible item is left to move: say at what")
	}
	return it, it.start, ok
}

// reduced is the message without the items that moved.
func (s *sending) reduced(tr *trouble, m *message, moved []item) []byte {
	if s.hasReduce {
		moved = nil
		for _, t := range s.reduce {
			if it, ok := t.findItem(tr, m); ok {
				it.start += t.plus
				moved = append(moved, it)
			}
		}
	}
	gone := make([]bool, len(m.bytes))
	for _, it := range moved {
		n := it.length
		if !s.keepPad && it.name != "" {
			n = it.padded()
		}
		for i := max(0, it.start); i < min(it.start+n, len(gone)); i++ {
			gone[i] = true
		}
	}
	var b []byte
	for i, c := range m.bytes {
		if !gone[i] {
			b = append(b, c)
		}
	}
	return b
}

// send sends the header and what is inline after it, changed as the text says.
func (p *player) send(s *sending, h build.Header, inline []byte) *sent {
	if s.hasPayload {
		inline = s.payload
	}
	data, places := s.layout(h, inline)
	for _, e := range s.edits {
		data = e.apply(&p.trouble, data, places)
	}
	p.spend(s.line, len(data))
	if p.err != nil {
		return nil
	}
	m := p.cur.send(s.dir, data, s.hasInvalidate, s.invalidate)
	m.places = places
	if s.lost {
		p.cur.wire().Wait(time.Millisecond)
		p.cur.again(m.span)
	}
	if !s.quiet {
		p.cur.wire().Ack(s.dir.Opposite())
	}
	p.result = m
	return m
}

package scene

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/internal/build"
)

// A chunk is memory that a message names.
type chunk struct {
	line     int
	segments []build.Segment
	at       *target // of a Read chunk, nil if the text says nothing
	// all says that the last segment is as long as is needed.
	all bool
}

// fit gives the last segment the length that n bytes need, if the text says so.
func (k *chunk) fit(n int) {
	if !k.all {
		return
	}
	last := len(k.segments) - 1
	for _, s := range k.segments[:last] {
		n -= int(s.Length)
	}
	k.segments[last].Length = uint32(max(0, n))
}

// A target says which bytes of an RPC message are meant: an eligible item by
// its number from 1, opaque data by the name of their field, a range, or none.
type target struct {
	line         int
	item         int
	name         string
	from, length int
	isRange      bool
	isPosition   bool // from alone
	none         bool
	plus         int // bytes after it
}

// segments takes handles, lengths and offsets: 0xc82 4096@0x1000. Without an
// offset each handle has one of its own.
func (c *cursor) segments() (list []build.Segment, all bool) {
	for c.isNumber() && !all {
		s := build.Segment{Handle: c.number32("a handle")}
		length, offset, has := strings.Cut(c.word("a length"), "@")
		if all = length == "all"; !all {
			s.Length = uint32(c.parse(length, "a length", 32))
		}
		s.Offset = uint64(s.Handle) << 20
		if has {
			s.Offset = c.parse(offset, "an offset", 64)
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		c.fail("a segment is missing: handle length[@offset]")
	}
	return list, all
}

// plain takes segments whose lengths all are numbers.
func (c *cursor) plain() []build.Segment {
	list, all := c.segments()
	if all {
		c.fail("all is a length of Read chunks only")
	}
	return list
}

// chunk takes a Read chunk.
func (c *cursor) chunk() *chunk {
	k := &chunk{line: c.number}
	k.segments, k.all = c.segments()
	if c.accept("at") {
		k.at = c.target()
	}
	return k
}

// writable takes a Write or Reply chunk, which may be empty.
func (c *cursor) writable() *chunk {
	if c.accept("empty") {
		return &chunk{line: c.number}
	}
	return &chunk{line: c.number, segments: c.plain()}
}

// target takes a target.
func (c *cursor) target() *target {
	t := &target{line: c.number}
	switch w := c.word("bytes: item N, a field's name, FROM+LENGTH, none"); {
	case w == "none":
		t.none = true
	case w == "item":
		t.item = c.count("an item's number")
	case w != "" && (w[0] == '+' || w[0] == '-'):
		t.item, t.plus = 1, signed(c, w)
	case w != "" && w[0] >= '0' && w[0] <= '9':
		var length string
		w, length, t.isRange = strings.Cut(w, "+")
		t.from, t.isPosition = int(c.parse(w, "an offset", 32)), !t.isRange
		if t.isRange {
			t.length = int(c.parse(length, "a length", 31))
		}
	default:
		t.name = w
	}
	if s := c.peek(); s.kind == word && s.text != "" && (s.text[0] == '+' || s.text[0] == '-') {
		t.plus = signed(c, c.takeToken().text)
	}
	return t
}

func signed(c *cursor, w string) int {
	n, err := strconv.ParseInt(strings.TrimPrefix(w, "+"), 0, 32)
	if err != nil {
		c.fail("%q is no number", w)
	}
	return int(n)
}

// findItem is what a target means in a message.
func (t *target) findItem(tr *trouble, m *message) (it item, ok bool) {
	switch {
	case t.none:
		return it, false
	case t.isRange:
		if t.from+t.length > len(m.bytes) {
			tr.failf(t.line, "the RPC message has only %d bytes", len(m.bytes))
			return it, false
		}
		return item{start: t.from, length: t.length}, true
	case t.item > 0:
		if list := m.eligible(); t.item <= len(list) {
			return list[t.item-1], true
		}
		tr.failf(t.line, "the message has no eligible item %d", t.item)
	default:
		for _, short := range []bool{false, true} {
			for _, it := range m.items {
				if matches(it.name, t.name, short) {
					return it, true
				}
			}
		}
		tr.failf(t.line, "the message has no opaque data named %s", t.name)
	}
	return it, false
}

// starting is the item that begins at a position.
func (m *message) starting(at int) (item, bool) {
	for _, it := range m.items {
		if it.start == at {
			return it, true
		}
	}
	return item{}, false
}

// split shares bytes out to segments, each as much as it holds.
func split(segments []build.Segment, data []byte) (pieces [][]byte, left []byte) {
	for _, s := range segments {
		n := min(int(s.Length), len(data))
		pieces = append(pieces, data[:n])
		data = data[n:]
	}
	return pieces, data
}

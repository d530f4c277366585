package scene

import (
	"strings"

	"github.com/rdmacap/rdmacap/internal/build"
)

// A Want is a finding that the text expects.
type Want struct {
	// Rule is the rule's ID, Line the line of the text that wants it.
	Rule string
	Line int
	// Connection counts those of the scene from 0, in the order of their begin.
	Connection int
	// Frames are the numbers, from 1, of the captured frames of what the finding
	// is about: of the statement's Send, or of all that the statement made if it
	// made none; none where the finding is about the connection.
	Frames []int
	// Exact says that Offset and Length count: bytes of the Send, or with
	// InFrame of the last one of Frames.
	Exact, InFrame bool
	Offset, Length int
	// Places are where these bytes lie.
	Places []Place

	made build.Span
	sent *sent
	conn *conn
	// frame is the index of the frame that InFrame means.
	frame int
	// numbers are those of the connection's frames by index, 0 for one that is
	// not captured.
	numbers []int
}

// A Place is a run of bytes in a frame of the scene: Frame counts from 1, the
// offset from the frame's first byte.
type Place struct{ Frame, Offset, Length int }

// want takes RULE, or RULE OFFSET+LENGTH, or RULE frame [N] OFFSET+LENGTH; m is
// the Send of the statement, nil if it made none.
func (p *player) want(c *cursor, m *sent) {
	w := &Want{Rule: c.word("a rule"), Line: c.number, sent: m, conn: p.cur}
	c.fail2(p.cur == nil, "a finding is wanted before there is a connection")
	if p.err != nil {
		return
	}
	w.Connection = p.cur.index
	w.made = build.Span{First: p.first, End: len(p.cur.frames())}
	if c.accept("frame") {
		w.InFrame = true
		w.frame = w.made.End - 1
		if m != nil && m.span.End > m.span.First {
			w.frame = m.span.End - 1
		} else if w.made.End > w.made.First {
			w.frame = w.made.First
		}
		if s := c.peek().text; s != "" && !strings.Contains(s, "+") {
			n := c.integer("a frame's number")
			if n < 0 {
				n += w.made.End - w.made.First + 1
			}
			w.frame = w.made.First + n - 1
		}
		if w.frame < w.made.First || w.frame >= w.made.End {
			c.fail("the statement made %d frames", w.made.End-w.made.First)
			return
		}
	}
	if c.more() {
		w.exact(c, m)
	}
	p.wants = append(p.wants, w)
}

// exact takes which bytes are meant.
func (w *Want) exact(c *cursor, m *sent) {
	s := c.word("bytes")
	var places map[string]extent
	n := 0
	switch {
	case w.InFrame:
		n = w.conn.frames()[w.frame].Length
	case m == nil:
		c.fail("the statement made no Send: bytes of a frame are told with frame")
		return
	default:
		n, places = m.length, m.places
	}
	e, ok := locate(s, n, places)
	if !ok || e.offset < 0 || e.length < 0 || e.offset+e.length > n {
		c.fail("%s is no place in %d bytes", s, n)
		return
	}
	w.Exact, w.Offset, w.Length = true, e.offset, e.length
}

// fail2 fails if the condition holds.
func (c *cursor) fail2(condition bool, reason string) {
	if condition {
		c.fail("%s", reason)
	}
}

// resolve fills what is known when all frames have their numbers.
func (w *Want) resolve(numbers []int) {
	w.numbers = numbers
	whole := w.made
	switch {
	case w.InFrame:
		whole = build.Span{First: w.frame, End: w.frame + 1}
	case w.sent != nil:
		w.Places = w.Place(w.Offset, w.Length)
		for _, piece := range w.sent.pieces() {
			if n := numbers[piece.Frame]; n != 0 && (len(w.Frames) == 0 || w.Frames[len(w.Frames)-1] != n) {
				w.Frames = append(w.Frames, n)
			}
		}
		return
	}
	for i := whole.First; i < whole.End; i++ {
		if numbers[i] != 0 {
			w.Frames = append(w.Frames, numbers[i])
		}
	}
	if w.InFrame && w.Exact && len(w.Frames) == 1 {
		w.Places = []Place{{w.Frames[0], w.Offset, w.Length}}
	}
}

// Place is where bytes of the Send lie that the want is about, as far as the
// frames are captured; nothing if it is not about a Send.
func (w *Want) Place(offset, length int) (places []Place) {
	if w.sent == nil {
		return nil
	}
	for _, piece := range w.sent.pieces() {
		from, to := max(offset, piece.Start), min(offset+length, piece.Start+piece.Length)
		if n := w.numbers[piece.Frame]; from < to && n != 0 {
			places = append(places, Place{n, piece.Offset + from - piece.Start, to - from})
		}
	}
	return places
}

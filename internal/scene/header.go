package scene

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/internal/build"
)

// An extent is a run of bytes of a Send.
type extent struct{ offset, length int }

// An edit changes a word of the transport header or bytes of a Send.
type edit struct {
	line  int
	do    string // set, cut, append, insert, delete
	place string
	n     int
	value uint32
	bytes []byte
}

// change takes an option that changes the Send; it reports whether it was one.
func (s *sending) change(c *cursor, word string) bool {
	e := edit{line: c.number, do: word}
	switch word {
	case "xid":
		s.xid, s.hasXID = c.number32(word), true
		return true
	case "vers", "credits":
		e.do, e.place, e.value = "set", word, c.number32(word)
	case "proc":
		s.proc = c.choice("MSG", build.MSG, "NOMSG", build.NOMSG, "MSGP", build.MSGP, "DONE", build.DONE,
			"ERROR", build.ERROR, "OPTIONAL", build.OPTIONAL)
		s.hasProc = true
		return true
	case "align":
		s.align = c.number32(word)
		return true
	case "thresh":
		s.thresh = c.number32(word)
		return true
	case "payload":
		s.hasPayload = true
		if !c.accept("none") {
			s.payload = c.bytes(word)
		}
		return true
	case "set":
		e.place, e.value = c.word("an offset or a field"), uint32(c.integer64("a value"))
	case "cut":
		e.n = c.count("a number of bytes")
	case "append":
		e.bytes = c.bytes(word)
	case "insert":
		e.place, e.bytes = c.word("an offset or a field"), c.bytes(word)
	case "delete":
		e.place = c.word("OFFSET+LENGTH or a field")
	default:
		return false
	}
	s.edits = append(s.edits, e)
	return true
}

// integer64 takes a number that may be negative and as large as 32 unsigned bits.
func (c *cursor) integer64(what string) int64 {
	w := c.word(what)
	v, err := strconv.ParseInt(w, 0, 64)
	if err != nil || v < -1<<31 || v >= 1<<32 {
		c.fail("%s: %q is no number of 32 bits", what, w)
	}
	return v
}

// apply makes the edit in a Send whose header fields lie at places.
func (e *edit) apply(tr *trouble, b []byte, places map[string]extent) []byte {
	at, ok := extent{length: 4}, true
	if e.place != "" {
		at, ok = locate(e.place, len(b), places)
	}
	if e.do == "insert" {
		at.length = 0
	}
	if !ok || at.offset < 0 || at.offset+at.length > len(b) && e.place != "" {
		tr.failf(e.line, "%s is no place in a Send of %d bytes", e.place, len(b))
		return b
	}
	switch e.do {
	case "set":
		binary.BigEndian.PutUint32(b[at.offset:], e.value)
	case "cut":
		b = b[:len(b)-min(e.n, len(b))]
	case "append":
		b = append(b, e.bytes...)
	case "insert":
		b = slices.Insert(b, at.offset, e.bytes...)
	case "delete":
		b = slices.Delete(b, at.offset, at.offset+at.length)
	}
	return b
}

// locate is what a place in a text means in n bytes: OFFSET, from the end if
// it is negative, with +LENGTH or 4 bytes; or a name from places, with
// +OFFSET+LENGTH inside it.
func locate(s string, n int, places map[string]extent) (e extent, ok bool) {
	name, rest, _ := strings.Cut(s, "+")
	if e, ok = places[name]; ok {
		if rest == "" {
			return e, true
		}
		inner, fine := locate(rest, e.length, nil)
		return extent{e.offset + inner.offset, inner.length}, fine
	}
	offset, err := strconv.ParseInt(name, 0, 32)
	if err != nil {
		return e, false
	}
	e = extent{int(offset), 4}
	if offset < 0 {
		e.offset += n
	}
	if rest != "" {
		length, err := strconv.ParseUint(rest, 0, 24)
		if err != nil {
			return e, false
		}
		e.length = int(length)
	}
	return e, true
}

package walk_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// An encoder writes random values and notes what is where.
type encoder struct {
	rnd      *rand.Rand
	b        []byte
	removed  int
	start    int
	isResult bool
	reads    []walk.ReadChunk
	writes   []uint32
	chunks   [][]byte
	values   []string // "t1.f2 value at offset..." of each marked field
	items    []string
	leaves   []string // of each leaf: name and extent in the stream
}

func (e *encoder) position() int { return e.start + e.removed + len(e.b) }

func (e *encoder) value(owner string, f member) {
	t := f.of
	key := owner + "." + f.name
	at := len(e.b)
	position := e.position()
	tell := func(v int64, start, length int, more string) {
		if f.name != "" {
			e.values = append(e.values, fmt.Sprintf("%s %d at %d+%d position %d%s", key, v, start, length, position, more))
			e.leaves = append(e.leaves, fmt.Sprintf("%s %d-%d", f.name, at, len(e.b)))
		}
	}
	switch t.kind {
	case "int":
		v := e.rnd.Uint32()
		e.b = bytesAppend(e.b, v)
		if t.signed {
			tell(int64(int32(v)), at, 4, "")
		} else {
			tell(int64(v), at, 4, "")
		}
	case "hyper":
		v := e.rnd.Uint64()
		e.b = bytesAppend(bytesAppend(e.b, uint32(v>>32)), uint32(v))
		tell(int64(v), at, 8, "")
	case "bool":
		v := e.rnd.Uint32() & 1
		e.b = bytesAppend(e.b, v)
		tell(int64(v), at, 4, "")
	case "opaque[]":
		e.raw(t.limit)
		tell(int64(t.limit), at, t.limit, "")
	case "opaque<>", "string<>":
		e.opaque(key, f, tell, &position)
	case "array[]":
		for range t.limit {
			e.value("", t.parts[0])
		}
	case "array<>":
		n := e.rnd.IntN(t.limit + 1)
		e.b = bytesAppend(e.b, uint32(n))
		for range n {
			e.value("", t.parts[0])
		}
	case "optional":
		present := e.rnd.Uint32() & 1
		e.b = bytesAppend(e.b, present)
		if present == 1 {
			e.value("", t.parts[0])
		}
	case "list":
		for range e.rnd.IntN(4) {
			e.b = bytesAppend(e.b, 1)
			e.value(t.name, t.parts[0])
		}
		e.b = bytesAppend(e.b, 0)
	case "struct":
		for _, part := range t.parts {
			e.value(t.name, part)
		}
	case "union":
		arm := e.rnd.IntN(len(t.parts))
		e.b = bytesAppend(e.b, uint32(arm))
		e.values = append(e.values, fmt.Sprintf("%s.d %d at %d+4 position %d", t.name, arm, at, position))
		e.leaves = append(e.leaves, fmt.Sprintf("d %d-%d", at, at+4))
		e.value(t.name, t.parts[arm])
	}
}

func bytesAppend(b []byte, v uint32) []byte {
	return append(b, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

// raw writes n bytes that are no text, and their pad.
func (e *encoder) raw(n int) {
	for range n {
		e.b = append(e.b, byte(e.rnd.IntN(256)))
	}
	for range (4 - n%4) % 4 {
		e.b = append(e.b, byte(e.rnd.IntN(256))) // pads may hold anything
	}
}

// opaque writes an item inline, or leaves it out: of a call any, of a reply
// those that are eligible.
func (e *encoder) opaque(key string, f member, tell func(int64, int, int, string), position *int) {
	n := e.rnd.IntN(f.of.limit + 1)
	e.b = bytesAppend(e.b, uint32(n))
	*position = e.position()
	start := len(e.b)
	chunk := -1
	switch {
	case !e.isResult && n > 0 && e.rnd.IntN(3) == 0:
		chunk = len(e.reads)
		e.reads = append(e.reads, walk.ReadChunk{uint32(*position), uint32(n)})
	case e.isResult && f.eligible && len(e.writes) < 3:
		if n > 0 && e.rnd.IntN(2) == 0 {
			chunk = len(e.writes)
			e.writes = append(e.writes, uint32(n))
		} else {
			e.writes = append(e.writes, 0)
		}
	}
	more := ""
	if chunk >= 0 {
		e.removed += (n + 3) / 4 * 4
		more = fmt.Sprintf(" chunk %d", chunk)
	} else {
		e.raw(n)
	}
	if f.eligible || chunk >= 0 {
		e.items = append(e.items, fmt.Sprintf("%v %d at %d position %d%s", f.eligible, n, start, *position, more))
	}
	tell(int64(n), start, n, more)
}

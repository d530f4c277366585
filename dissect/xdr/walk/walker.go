package walk

import "github.com/rdmacap/rdmacap/field"

// maxEvents bounds the events of one walk, unless Walker.Most does: enough for what
// somebody is shown of a message, and little memory for the others.
const maxEvents = 1 << 14

// A Walker goes over bytes along a Route and keeps what it met as events. They
// lie in a slice, not after an interface: that costs no call each, and what is
// told last (the fault, the end of an operation) is known when the first is
// looked at. One Walker is used again for the next message; the zero Walker is
// ready.
type Walker struct {
	// Events are in the order of the bytes.
	Events []Event
	// Most is how many events are kept at most, 0 for 16,384: one who has to see
	// all of a large directory asks for more.
	Most int
	// Dropped says that there were more events than are kept.
	Dropped bool
	// Consumed is how many inline bytes the value has, Unreduced how many
	// it had before data were removed. After a fault they are what came before.
	Consumed  int
	Unreduced uint64
	// Chunks is how many Read or Write chunks belong to items, unused Write
	// chunks of length 0 included. Those that follow belong to none.
	Chunks int
	// Skipped says how Write chunks of length 0 were read. In the usual reading
	// each belongs to an item, which is inline then (RFC 8166, section
	// 4.3.2.2; RFC 8267, section 6.4.1, has it as well). If so read the result
	// has a fault, or bytes after it, it may be that a later chunk was used
	// first: then these are passed over, and Skipped is true. That reading
	// holds only if every byte and every chunk's length fits it.
	Skipped bool
	// Split says that an item is longer than its chunk, and that the bytes after it do
	// not fit if they are read as what follows: the rest of the item may be among them. Then
	// nothing is read after the item, and that is the Fault.
	Split bool
	// Fault is the first thing wrong, with its byte among the inline ones.
	// Bytes after the value are not a fault here.
	Fault field.Fault
	// Cut says that the fault is only that the bytes end too early: in what a
	// capture cut short, this proves nothing against its sender.
	Cut bool
	// Inside is the first thing wrong within opaque data that hold items
	// themselves (@attributes, @contains), with its byte; it ends the decoding
	// of these and is no fault of the stream around them. Unknown says that
	// it is only that the text does not say what stands there: an attribute or
	// a content with a number that it does not have. Data in a chunk are not
	// looked at.
	Inside  field.Fault
	Unknown bool

	in        Stream
	route     *Route
	bytes     []byte
	most      int
	operation int32
}

// Walk goes over a value that begins with the first of the bytes. They must
// stay as they are as long as summaries of it are asked for.
func (w *Walker) Walk(r *Route, data []byte, reduced Reduction) {
	w.walk(r, data, reduced, false, false)
	if w.fits() {
		return
	}
	short := w.in.short
	if r.IsResult && reduced.unusedFirst() {
		if w.walk(r, data, reduced, true, false); w.fits() {
			return
		}
		if !short {
			w.walk(r, data, reduced, false, false)
		}
	}
	if short {
		w.walk(r, data, reduced, false, true)
	}
}

// Fits reports whether a value is the bytes, no more and no less, as Walk would find it in the
// usual reading. It costs less, since it tells nothing: there are no events of it.
func (w *Walker) Fits(r *Route, data []byte, reduced Reduction) bool {
	w.Events, w.most = w.Events[:0], 0
	w.route, w.bytes = r, data
	w.in.Begin(data, reduced, false, false)
	w.run(r.bareBlock(), 0)
	w.Fault, w.Cut = w.in.End()
	w.Consumed = w.in.Offset()
	return w.fits()
}

// Walked is the way that was walked, and over which bytes; nil before the first walk.
func (w *Walker) Walked() (r *Route, data []byte) { return w.route, w.bytes }

// fits reports whether the value is the bytes, no more and no less.
func (w *Walker) fits() bool { return !w.Fault.Bad() && w.Consumed == len(w.bytes) }

// walk goes over the value in one of the readings.
func (w *Walker) walk(r *Route, data []byte, reduced Reduction, skip, strict bool) {
	w.Events, w.Dropped, w.Skipped, w.Split = w.Events[:0], false, skip, strict
	w.Inside, w.Unknown = field.Fault{}, false
	w.route, w.bytes, w.operation = r, data, 0
	if w.most = w.Most; w.most == 0 {
		w.most = maxEvents
	}
	w.in.Begin(data, reduced, skip, strict)
	w.run(r.block, 0)
	w.Fault, w.Cut = w.in.End()
	w.Consumed = w.in.Offset()
	w.Unreduced = uint64(w.Consumed) + w.in.removed
	w.Chunks = w.in.reads + w.in.writes
}

// A selector is what selects the content of opaque data: a word, or a bitmap.
type selector struct {
	word   uint32
	bitmap []byte
}

// run takes the steps of a block.
func (w *Walker) run(b *block, depth int) {
	if w.in.TooDeep(depth) {
		return
	}
	var selected selector
	steps := b.steps
	for i := range steps {
		s := &steps[i]
		if s.op == opSkip {
			w.in.Skip(int(s.n))
			continue // after a fault the next steps read nothing and tell nothing
		}
		at := w.in.Offset()
		switch s.op {
		case opWord:
			v := w.in.Uint32()
			selected.word = keep(s, selected.word, v)
			w.word(s, at, v)
		case opBool:
			v := uint32(0)
			if w.in.Bool() {
				v = 1
			}
			selected.word = keep(s, selected.word, v)
			w.word(s, at, v)
		case opHyper:
			if v := w.in.Uint64(); s.mark >= 0 {
				w.value(s, at, 8, v)
			}
		case opUnion:
			w.union(s, at, depth)
		case opOpaque:
			w.data(s, &selected, depth)
		case opRun, opArray:
			w.array(s, &selected, depth)
		case opCall:
			w.run(s.sub, depth) // structs alone nest as deep as the text says
		case opOptional:
			present := uint64(0)
			if w.in.Bool() {
				present = 1
			}
			if s.mark >= 0 {
				w.value(s, at, 4, present)
			}
			if present == 1 {
				w.run(s.sub, depth+1)
			}
		case opList:
			w.list(s, at, depth)
		default:
			w.fixed(s, at, depth)
		}
		if w.in.Bad() {
			return
		}
	}
}

func keep(s *step, old, v uint32) uint32 {
	if s.keep {
		return v
	}
	return old
}

// fixed takes the steps of fixed size that are reported.
func (w *Walker) fixed(s *step, at, depth int) {
	switch s.op {
	case opFixed:
		w.in.Fixed(int(s.n))
		if s.mark >= 0 {
			w.value(s, at, int(s.n), s.n)
		}
	case opPeek:
		ahead := w.in.Cursor
		ahead.Skip(int(s.n))
		if !ahead.Bad() && (ahead.Offset() <= w.in.stop || w.in.within > 0) {
			w.value(s, at, int(s.n), s.n)
		}
	case opLoop:
		position := w.in.Position()
		for i := uint64(0); i < s.n && !w.in.Bad(); i++ {
			w.run(s.sub, depth+1)
		}
		w.whole(s, at, position, s.n)
	}
}

func (w *Walker) union(s *step, at, depth int) {
	v := w.in.Uint32()
	if s.arms.boolean && v > 1 {
		w.notBool(at)
	}
	if s.mark >= 0 || s.status {
		w.word(s, at, v)
	}
	if w.in.Bad() {
		return
	}
	arm := s.arms.findArm(v)
	switch {
	case arm == nil:
		w.in.NoArm(at)
	case arm.sub != nil:
		w.run(arm.sub, depth+1)
	default:
		w.in.Skip(arm.n)
	}
}

// notBool is a fault at a word; out of line, as it is unusual.
//
//go:noinline
func (w *Walker) notBool(at int) { w.in.Fail(at, reasonBool) }

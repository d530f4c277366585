package walk

import "encoding/binary"

// array takes a counted array.
func (w *Walker) array(s *step, selected *selector, depth int) {
	count := w.in.Count(int(s.n), s.each)
	at, position := w.in.Offset(), w.in.Position()
	if s.op == opRun {
		w.in.Skip(count * s.each)
		if s.keep {
			selected.bitmap = nil
			if !w.in.Bad() {
				selected.bitmap = w.bytes[at:w.in.Offset()]
			}
		}
	} else {
		for range count {
			if w.in.Bad() {
				return
			}
			if s.operations {
				w.oneOperation(s, depth)
			} else {
				w.run(s.sub, depth+1)
			}
		}
	}
	w.whole(s, at, position, uint64(count))
}

// oneOperation takes an operation and tells where it begins and ends.
func (w *Walker) oneOperation(s *step, depth int) {
	union := &s.sub.steps[0] // an operation is that and nothing else
	at, index, number := w.in.Offset(), w.operation, uint64(0)
	if w.in.Remaining() >= 4 && at+4 <= w.in.stop {
		number = uint64(int32(binary.BigEndian.Uint32(w.bytes[at:])))
		w.emit(Operation, union.field, index, number, at, 4)
	}
	w.operation++
	if !w.in.TooDeep(depth + 1) {
		w.union(union, at, depth+1)
	}
	if !w.in.Bad() && !w.in.Past() {
		w.emit(End, union.field, index, number, w.in.Offset(), 0)
	}
}

// emit reports where an operation begins or ends.
func (w *Walker) emit(kind EventKind, field, index int32, number uint64, at, length int) {
	if e := w.addEvent(kind, -1, field, at, length, number); e != nil {
		e.Index = index
	}
}

// list takes a linked list.
func (w *Walker) list(s *step, at, depth int) {
	count, position := uint64(0), w.in.Position()
	for w.in.Bool() {
		w.run(s.sub, depth+1)
		if w.in.Bad() {
			return
		}
		count++
	}
	w.whole(s, at, position, count)
}

package walk

// word reports a word or Boolean that was just read.
func (w *Walker) word(s *step, at int, v uint32) {
	if s.mark < 0 && !s.status || w.in.Bad() || w.in.Past() {
		return
	}
	if s.mark >= 0 {
		w.report(s, at, 4, extend(s, v))
	}
	if s.status {
		if e := w.addEvent(Status, -1, s.field, at, 4, extend(s, v)); e != nil {
			e.OK = v == s.ok
		}
	}
}

func extend(s *step, v uint32) uint64 {
	if s.signed {
		return uint64(int32(v))
	}
	return uint64(v)
}

// value reports a value that was just read, or lies ahead.
func (w *Walker) value(s *step, at, length int, v uint64) {
	if !w.in.Bad() && !w.in.Past() {
		w.report(s, at, length, v)
	}
}

// whole reports a value within which data may have been removed: it begins at a
// Position that was noted before, and ends where the stream is.
func (w *Walker) whole(s *step, at int, position, v uint64) {
	if s.mark < 0 || w.in.Bad() || w.in.Past() {
		return
	}
	first := len(w.Events)
	w.report(s, at, w.in.Offset()-at, v)
	for i := range w.Events[first:] {
		w.Events[first+i].Position = position
	}
}

// report adds an event for each mark of a step.
func (w *Walker) report(s *step, at, length int, v uint64) {
	w.addEvent(Value, s.mark, s.field, at, length, v)
	for _, m := range s.also {
		w.addEvent(Value, m, s.field, at, length, v)
	}
}

// addEvent adds an event of bytes before which, but not in which, data may have
// been removed. It is nil if there are too many.
func (w *Walker) addEvent(kind EventKind, mark, field int32, at, length int, v uint64) *Event {
	if len(w.Events) >= w.most {
		w.Dropped = true
		return nil
	}
	// Each field by itself: a whole Event would be made first and then copied.
	n := len(w.Events)
	if n < cap(w.Events) {
		w.Events = w.Events[:n+1]
	} else {
		w.Events = append(w.Events, Event{})
	}
	e := &w.Events[n]
	e.Kind, e.OK, e.Eligible = kind, false, false
	e.Mark, e.Field, e.Chunk, e.Index = mark, field, -1, 0
	e.Offset, e.Length = uint32(at), uint32(length)
	e.Position = uint64(w.in.reduction.Start) + w.in.removed + uint64(at)
	e.Value = v
	return e
}

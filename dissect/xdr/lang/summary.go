package lang

import "strconv"

// maxSummary bounds a summary, in octets, as far as it is made of several
// operations: further ones are counted.
const maxSummary = 2048

// AppendSummary appends the line that the @summary of the walked value's type
// makes of it, "" without one. What was not walked over, because it is not there
// or lies behind a fault, is left out.
func (w *Walker) AppendSummary(dst []byte) []byte {
	t := w.route.Type
	s := summary{w: w, events: w.Events}
	if t.Summary == nil {
		// Without a template there are at least the operations.
		return s.operations(dst)
	}
	return s.template(dst, t.Summary)
}

// AppendOperation appends the line about the operation whose Operation event
// has that index in Events: its name and the summary of its arguments or
// result, and a status that is not success if the summary does not tell it.
func (w *Walker) AppendOperation(dst []byte, event int) []byte {
	e := w.Events[event]
	end := event + 1
	for end < len(w.Events) && w.Events[end].Kind != Operation && w.Events[end].Kind != End {
		end++
	}
	return (&summary{w: w, events: w.Events[event+1 : end]}).operation(dst, &e)
}

// A summary fills in a template from events.
type summary struct {
	w      *Walker
	events []Event
}

// find is the first value of a mark, nil if there is none.
func (s *summary) find(mark int32) *Event {
	for i := range s.events {
		if e := &s.events[i]; e.Kind == Value && e.Mark == mark {
			return e
		}
	}
	return nil
}

func (s *summary) template(dst []byte, t *Template) []byte {
	lead := len(dst) // where what was last written of values ends
	for i := 0; i < len(t.parts); i++ {
		switch p := &t.parts[i]; p.kind {
		case literal:
			dst = append(dst, p.text...)
		case valueOf:
			if s.w.Fault.Bad() && s.find(p.mark) == nil && !s.isOperations(p) {
				// It lies behind the fault: the line ends before it.
				return append(dst[:lead], "..."...)
			}
			dst = s.value(dst, p)
			lead = len(dst)
		case openPart:
			if !s.holds(t.parts[i+1:]) {
				for t.parts[i].kind != closePart {
					i++
				}
			}
		}
	}
	return dst
}

// holds reports whether a part in brackets, which begins here, is shown.
func (s *summary) holds(parts []part) bool {
	for i := range parts {
		p := &parts[i]
		switch p.kind {
		case closePart:
			return true
		case valueOf, ifSet, ifNotSet:
			e := s.find(p.mark)
			if e == nil || p.kind == ifSet && e.Value == 0 || p.kind == ifNotSet && e.Value != 0 {
				return false
			}
		}
	}
	return true
}

// isOperations reports whether a place is an array of operations.
func (s *summary) isOperations(p *part) bool {
	return p.operations && s.w.route.plan.Marks[p.mark].Root.root() == s.w.route.Type.root()
}

// value appends the value of a place.
func (s *summary) value(dst []byte, p *part) []byte {
	if s.isOperations(p) {
		return s.operations(dst)
	}
	e := s.find(p.mark)
	if e == nil {
		return dst
	}
	return s.w.appendEvent(dst, e, p.of, p.as, writer{})
}

// AppendValue appends the value of a Value event as a person reads it.
func (w *Walker) AppendValue(dst []byte, e *Event) []byte {
	m := w.route.plan.Marks[e.Mark]
	return w.appendEvent(dst, e, m.Type, m.As(), writer{})
}

func (w *Walker) appendEvent(dst []byte, e *Event, t *Type, as As, to writer) []byte {
	switch {
	case t.word():
		return to.number(dst, t, as, e.Value)
	case t.Kind == Optional:
		return strconv.AppendUint(dst, e.Value, 10)
	case t.Kind == Array || t.Kind == FixedArray:
		if as.Format != Bits {
			return strconv.AppendUint(dst, e.Value, 10)
		}
	}
	if e.Chunk >= 0 || as.Format == Count {
		// The octets are elsewhere.
		return appendCount(dst, int(e.Value))
	}
	return to.octets(dst, t, as, w.octets[e.Offset:e.Offset+e.Length])
}

// operations appends the lines of all operations.
func (s *summary) operations(dst []byte) []byte {
	start, count := len(dst), 0
	for i := range s.events {
		e := &s.events[i]
		if e.Kind != Operation {
			continue
		}
		if count++; len(dst)-start > maxSummary {
			continue
		}
		if count > 1 {
			dst = append(dst, "; "...)
		}
		dst = s.w.AppendOperation(dst, i)
		if len(dst)-start > maxSummary {
			count = 0 // from here on they are only counted
		}
	}
	if len(dst)-start > maxSummary && count > 0 {
		dst = append(dst, "; and "...)
		dst = strconv.AppendInt(dst, int64(count), 10)
		dst = append(dst, " more"...)
	}
	return dst
}

// operation appends the line of one operation.
func (s *summary) operation(dst []byte, e *Event) []byte {
	d := s.w.route.plan.Fields[e.Field]
	dst = writer{}.named(dst, d.Type, e.Value)
	arm := d.selects.arm(uint32(e.Value))
	if arm != nil && arm.Type.Summary != nil {
		before := len(dst)
		dst = append(dst, ' ')
		dst = s.template(dst, arm.Type.Summary)
		switch string(dst[before:]) {
		case " ":
			return dst[:before]
		case " ...": // nothing of it was there
			return append(dst[:before], "..."...)
		}
		return dst
	}
	for i := range s.events {
		if e := &s.events[i]; e.Kind == Status && !e.OK {
			dst = append(dst, ' ')
			dst = writer{}.named(dst, s.w.route.plan.Fields[e.Field].Type, e.Value)
			break
		}
	}
	return dst
}

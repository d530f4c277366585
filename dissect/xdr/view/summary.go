package view

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// maxSummary bounds a summary, in bytes, as far as it is made of several
// operations: further ones are counted.
const maxSummary = 2048

// AppendSummary appends the line that the @summary of the walked value's type
// makes of it, "" without one. What was not walked over, because it is not there
// or lies after a fault, is left out.
func AppendSummary(dst []byte, w *walk.Walker) []byte {
	s := summary{w: w, events: w.Events}
	t := s.route().Type
	if t.Summary == nil {
		// Without a template there are at least the operations.
		return s.operations(dst)
	}
	return s.template(dst, t.Summary)
}

// AppendOperation appends the line about the operation whose Operation event
// has that index in Events: its name and the summary of its arguments or
// result, and a status that is not success if the summary does not tell it.
func AppendOperation(dst []byte, w *walk.Walker, event int) []byte {
	e := w.Events[event]
	end := event + 1
	for end < len(w.Events) && w.Events[end].Kind != walk.Operation && w.Events[end].Kind != walk.End {
		end++
	}
	s := summary{w: w, events: w.Events[event+1 : end]}
	return s.operation(dst, &e)
}

// A summary fills in a template from events.
type summary struct {
	w      *walk.Walker
	events []walk.Event
}

// route is the way that was walked.
func (s *summary) route() *walk.Route {
	r, _ := s.w.Walked()
	return r
}

// findEvent is the first value of a mark, nil if there is none.
func (s *summary) findEvent(mark int32) *walk.Event {
	for i := range s.events {
		if e := &s.events[i]; e.Kind == walk.Value && e.Mark == mark {
			return e
		}
	}
	return nil
}

func (s *summary) template(dst []byte, t *types.Template) []byte {
	lead := len(dst) // where what was last written of values ends
	for i := 0; i < len(t.Parts); i++ {
		switch p := &t.Parts[i]; p.Kind {
		case types.Literal:
			dst = append(dst, p.Text...)
		case types.ValueOf:
			if s.w.Fault.Bad() && s.findEvent(p.Mark) == nil && !s.isOperations(p) {
				// It lies after the fault: the line ends before it.
				return append(dst[:lead], "..."...)
			}
			dst = s.value(dst, p)
			lead = len(dst)
		case types.OpenPart:
			if !s.holds(t.Parts[i+1:]) {
				for t.Parts[i].Kind != types.ClosePart {
					i++
				}
			}
		}
	}
	return dst
}

// holds reports whether a part in brackets, which begins here, is shown.
func (s *summary) holds(parts []types.Part) bool {
	for i := range parts {
		p := &parts[i]
		switch p.Kind {
		case types.ClosePart:
			return true
		case types.ValueOf, types.IfSet, types.IfNotSet:
			e := s.findEvent(p.Mark)
			if e == nil || p.Kind == types.IfSet && e.Value == 0 || p.Kind == types.IfNotSet && e.Value != 0 {
				return false
			}
		}
	}
	return true
}

// isOperations reports whether a place is an array of operations.
func (s *summary) isOperations(p *types.Part) bool {
	return p.Operations && s.route().Plan.Marks[p.Mark].Root.Root() == s.route().Type.Root()
}

// value appends the value of a place.
func (s *summary) value(dst []byte, p *types.Part) []byte {
	if s.isOperations(p) {
		return s.operations(dst)
	}
	e := s.findEvent(p.Mark)
	if e == nil {
		return dst
	}
	return appendEvent(dst, s.w, e, p.Type, p.As)
}

// AppendValue appends the value of a Value event as a person reads it.
func AppendValue(dst []byte, w *walk.Walker, e *walk.Event) []byte {
	route, _ := w.Walked()
	m := route.Plan.Marks[e.Mark]
	return appendEvent(dst, w, e, m.Type, m.As())
}

// appendEvent appends the value of an event, in a line.
func appendEvent(dst []byte, w *walk.Walker, e *walk.Event, t *types.Type, as types.As) []byte {
	to := writer{}
	switch {
	case t.IsWord():
		return to.number(dst, t, as, e.Value)
	case t.Kind == types.Optional:
		return strconv.AppendUint(dst, e.Value, 10)
	case t.Kind == types.Array || t.Kind == types.FixedArray:
		if as.Format != types.Bits {
			return strconv.AppendUint(dst, e.Value, 10)
		}
	}
	if e.Chunk >= 0 || as.Format == types.Count {
		// The bytes are elsewhere.
		return field.AppendCount(dst, int64(e.Value), "byte")
	}
	_, data := w.Walked()
	return to.bytes(dst, t, as, data[e.Offset:e.Offset+e.Length])
}

// operations appends the lines of all operations.
func (s *summary) operations(dst []byte) []byte {
	start, count := len(dst), 0
	for i := range s.events {
		e := &s.events[i]
		if e.Kind != walk.Operation {
			continue
		}
		if count++; len(dst)-start > maxSummary {
			continue
		}
		if count > 1 {
			dst = append(dst, "; "...)
		}
		dst = AppendOperation(dst, s.w, i)
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
func (s *summary) operation(dst []byte, e *walk.Event) []byte {
	d := s.route().Plan.Fields[e.Field]
	dst = writer{}.named(dst, d.Type, e.Value)
	arm := d.Selects.Arm(uint32(e.Value))
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
		if e := &s.events[i]; e.Kind == walk.Status && !e.OK {
			dst = append(dst, ' ')
			dst = writer{}.named(dst, s.route().Plan.Fields[e.Field].Type, e.Value)
			break
		}
	}
	return dst
}

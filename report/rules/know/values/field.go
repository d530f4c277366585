package values

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// A Field finds the events of one field of the texts in bodies. A rule that reads one
// names it in rules.Check.Fields: bodies report no others, and the Field would find nothing. The
// tests of package ruletest fail then (dissect.Dissector.NoteUnasked).
type Field struct {
	name string
	plan *walk.Plan // the last one
	mark int32      // of the field in that
}

// FieldOf is the field of a name, as for walk.NewPlan: "READ4args.count".
func FieldOf(name string) Field { return Field{name: name, mark: -1} }

// look turns to the plan of a body.
func (x *Field) look(b *dissect.Body) {
	if p := b.Binding.Plan(); p != x.plan {
		x.plan, x.mark = p, int32(b.Binding.Index(x.name))
	}
}

// Is reports whether an event of a body is a value of the field.
func (x *Field) Is(b *dissect.Body, e *walk.Event) bool {
	x.look(b)
	return x.mark >= 0 && e.Kind == walk.Value && e.Mark == x.mark
}

// In is the first event of the field among those of a body; nil if there is none.
func (x *Field) In(b *dissect.Body, events []walk.Event) *walk.Event {
	x.look(b)
	if x.mark < 0 {
		return nil
	}
	for i := range events {
		if e := &events[i]; e.Kind == walk.Value && e.Mark == x.mark {
			return e
		}
	}
	return nil
}

// Number is the value of the field, 0 if it is not there.
func (x *Field) Number(b *dissect.Body, events []walk.Event) uint64 {
	if e := x.In(b, events); e != nil {
		return e.Value
	}
	return 0
}

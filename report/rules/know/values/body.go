package values

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Explained reports whether the text of a body explains it to the last byte.
func Explained(b *dissect.Body) bool { return !b.Fault.Bad() && b.Left == 0 && !b.Dropped }

// Walked is the body of a message whose every byte its text explains, nil if
// there is none such, or its transport header is not sound.
func Walked(c *rules.Conn, m *dissect.Message) *dissect.Body {
	if !c.Sound(m) {
		return nil
	}
	return Of(m)
}

// Of is Walked for a message of which the caller knows that it is sound.
func Of(m *dissect.Message) *dissect.Body {
	if m == nil || !m.Whole || m.Header.Fault.Bad() {
		return nil
	}
	b := m.Body()
	if b == nil || !Explained(b) {
		return nil
	}
	return b
}

// Next is the index of the next Operation event with that number, from an index
// on; -1 if there is none.
func Next(b *dissect.Body, from int, op uint64) int {
	for i := from; i < len(b.Events); i++ {
		if e := &b.Events[i]; e.Kind == walk.Operation && e.Value == op {
			return i
		}
	}
	return -1
}

// Within are the events of the operation whose Operation event has that index.
func Within(b *dissect.Body, operation int) []walk.Event {
	list := b.Events[operation+1:]
	for i := range list {
		if k := list[i].Kind; k == walk.Operation || k == walk.End {
			return list[:i]
		}
	}
	return list
}

// Answer is the result of the n-th operation, from 0 on: the index of its
// Operation event; -1 if the reply does not have it.
func Answer(b *dissect.Body, n int32) int {
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Operation && e.Index == n {
			return i
		}
	}
	return -1
}

// Status is the status among the events of an operation; nil if there is none.
func Status(events []walk.Event) *walk.Event {
	for i := range events {
		if events[i].Kind == walk.Status {
			return &events[i]
		}
	}
	return nil
}

// MinorVersion is that of the arguments of a COMPOUND or CB_COMPOUND, which stands after the tag.
func MinorVersion(b *dissect.Body) (v uint32, ok bool) {
	tag, ok := xdr.WordAt(b.Bytes, 0)
	if !ok || uint64(tag) > uint64(len(b.Bytes)) {
		return 0, false
	}
	return xdr.WordAt(b.Bytes, xdr.WordSize+int(xdr.Padded(tag)))
}

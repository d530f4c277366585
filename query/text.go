package query

import (
	"iter"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/lang"
	"github.com/rdmacap/rdmacap/filter"
)

// A text is a field that a text in XDR language declares, or that gathers
// several such fields.
type text struct {
	filter.Field
	// keys are the fields of texts whose values it has.
	keys []string
	// types are types of which a procedure's whole arguments or result may be,
	// and are then a value: such ones have no key.
	types []string
	// call says that only arguments count.
	call bool
	// tell gives the value that an event has.
	tell teller
}

// A teller gives the value of a marked field that was met in a body.
type teller func(b *dissect.Body, e *lang.Event, to *filter.Values)

// texts are the fields that specs declare, each once: those of the first come
// first. Structs and unions have no value, but their fields do.
func texts(specs []*lang.Spec) (list []text) {
	seen := make(map[string]bool)
	for _, s := range specs {
		for f := range s.Fields() {
			if seen[f.Key] {
				continue
			}
			if t, ok := textOf(f); ok {
				seen[f.Key] = true
				list = append(list, t)
			}
		}
	}
	return list
}

// textOf is the field of filters that a field of a text is.
func textOf(f *lang.Field) (t text, ok bool) {
	t.Name, t.keys = f.Key, []string{f.Key}
	ty := f.Type
	if t.Doc = oneLine(f.Doc); t.Doc == "" {
		t.Doc = ty.String()
	}
	if ty.Kind == lang.Optional && !ty.IsList() {
		if ty = ty.Elem; !hasValue(ty, f.As) {
			t.Kind, t.tell = filter.Bool, tellBool
			return t, true
		}
	}
	if !hasValue(ty, f.As) {
		return t, false
	}
	t.Kind, t.tell = kindOf(ty, f.As)
	switch {
	case t.Kind != filter.Enum:
	case ty.Kind == lang.Enum:
		t.Names = enumNames(ty.Names)
	case ty.Elem != nil && ty.Elem.Kind == lang.Enum && f.As.Format != lang.Bits:
		t.Names = enumNames(ty.Elem.Names)
	default:
		t.Names = bitNames(f.As.Names)
	}
	return t, true
}

// hasValue reports whether a value of the type is one for a filter.
func hasValue(t *lang.Type, as lang.As) bool {
	switch t.Kind {
	case lang.Void, lang.Union:
		return false
	case lang.Struct:
		return isTime(t, as.Format)
	}
	return true
}

// isTime reports whether a struct is a time of seconds and a fraction.
func isTime(t *lang.Type, f lang.Format) bool {
	if f != lang.Time && f != lang.Timeval && f != lang.Seconds || len(t.Fields) != 2 {
		return false
	}
	for i := range t.Fields {
		switch t.Fields[i].Type.Kind {
		case lang.Int, lang.UnsignedInt, lang.Hyper, lang.UnsignedHyper:
		default:
			return false
		}
	}
	return true
}

// kindOf is the kind of a type's values, written as a note says, and who gives
// them.
func kindOf(t *lang.Type, as lang.As) (filter.Kind, teller) {
	if k, width, ok := numbersOf(t); ok && as.Format != lang.Bits {
		return k, tellNumbers(k, width)
	}
	number := false
	switch t.Kind {
	case lang.Bool:
		return filter.Bool, tellBool
	case lang.Enum:
		return filter.Enum, tellUint
	case lang.String:
		return filter.String, tellText
	case lang.Float, lang.Double, lang.Quadruple, lang.FixedArray:
		return filter.Octets, tellOctets
	case lang.Int, lang.UnsignedInt, lang.Hyper, lang.UnsignedHyper:
		number = true
	}
	switch as.Format {
	case lang.Text:
		if t.Kind == lang.Opaque || t.Kind == lang.FixedOpaque {
			return filter.String, tellText
		}
	case lang.IPv4, lang.IPv6:
		if number {
			return filter.Address, tellIPv4
		}
		return filter.Address, tellAddress
	case lang.Time:
		return filter.Time, tellTime(t, nanosecond)
	case lang.Timeval:
		return filter.Time, tellTime(t, microsecond)
	case lang.Seconds:
		return filter.Duration, tellDuration(t)
	case lang.Flags:
		switch {
		case t.Kind == lang.Int:
			return filter.Enum, tellIntFlags
		case number:
			return filter.Enum, tellFlags
		}
	case lang.Bits:
		if number {
			return filter.Enum, tellBits
		}
		return filter.Enum, tellBitmap
	}
	switch t.Kind {
	case lang.Int, lang.Hyper:
		return filter.Int, tellInt
	case lang.Opaque, lang.FixedOpaque:
		return filter.Octets, tellOctets
	}
	return filter.Uint, tellUint
}

// enumNames are the names of an enum's values, without its prefix.
func enumNames(n *lang.Names) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for i := range n.Members {
			m := &n.Members[i]
			if !yield(strings.TrimPrefix(m.Name, n.Prefix), uint64(m.Value)) {
				return
			}
		}
	}
}

// bitNames are the names of bits: of their numbers, or of words of 32 bits that
// have them.
func bitNames(n *lang.Names) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for i := range n.Members {
			m := &n.Members[i]
			if !yield(strings.TrimPrefix(m.Name, n.Prefix), uint64(uint32(m.Value))) {
				return
			}
		}
	}
}

// oneLine is the first line of a comment.
func oneLine(doc string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(doc), "\n")
	return strings.TrimSpace(line)
}

package query

import (
	"iter"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/filter"
)

// A text is a field that a text in XDR language declares, or that gathers
// several such fields.
type text struct {
	Field
	// keys are the fields of texts whose values it has.
	keys []string
	// types are types of which a procedure's whole arguments or result may be,
	// and are then a value: such ones have no key.
	types []string
	// call says that only arguments count.
	call bool
	// value gives the value that an event has.
	value valueOf
}

// texts are the fields that specs declare, each once: those of the first come
// first. Structs and unions have no value, but their fields do.
func texts(specs []*types.Spec) (list []text) {
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
func textOf(f *types.Field) (t text, ok bool) {
	t.Name, t.keys = f.Key, []string{f.Key}
	ty := f.Type
	if t.Doc = oneLine(f.Doc); t.Doc == "" {
		t.Doc = ty.String()
	}
	if ty.Kind == types.Optional && !ty.IsList() {
		if ty = ty.Elem; !hasValue(ty, f.As) {
			t.Kind, t.value = filter.Bool, valueBool
			return t, true
		}
	}
	if !hasValue(ty, f.As) {
		return t, false
	}
	t.Kind, t.value = kindOf(ty, f.As)
	switch {
	case t.Kind != filter.Enum:
	case ty.Kind == types.Enum:
		t.Names = enumNames(ty.Names)
	case ty.Elem != nil && ty.Elem.Kind == types.Enum && f.As.Format != types.Bits:
		t.Names = enumNames(ty.Elem.Names)
	default:
		t.Names = bitNames(f.As.Names)
	}
	return t, true
}

// hasValue reports whether a value of the type is one for a filter.
func hasValue(t *types.Type, as types.As) bool {
	switch t.Kind {
	case types.Void, types.Union:
		return false
	case types.Struct:
		return isTime(t, as.Format)
	}
	return true
}

// isTime reports whether a struct is a time of seconds and a fraction.
func isTime(t *types.Type, f types.Format) bool {
	if f != types.Time && f != types.Timeval && f != types.Seconds || len(t.Fields) != 2 {
		return false
	}
	for i := range t.Fields {
		switch t.Fields[i].Type.Kind {
		case types.Int, types.UnsignedInt, types.Hyper, types.UnsignedHyper:
		default:
			return false
		}
	}
	return true
}

// kindOf is the kind of a type's values, written as a note says, and who gives
// them.
func kindOf(t *types.Type, as types.As) (filter.Kind, valueOf) {
	if k, width, ok := numbersOf(t); ok && as.Format != types.Bits {
		return k, valueNumbers(k, width)
	}
	number := false
	switch t.Kind {
	case types.Bool:
		return filter.Bool, valueBool
	case types.Enum:
		return filter.Enum, valueUint
	case types.String:
		return filter.String, valueText
	case types.Float, types.Double, types.Quadruple, types.FixedArray:
		return filter.Bytes, valueBytes
	case types.Int, types.UnsignedInt, types.Hyper, types.UnsignedHyper:
		number = true
	}
	switch as.Format {
	case types.Text:
		if t.Kind == types.Opaque || t.Kind == types.FixedOpaque {
			return filter.String, valueText
		}
	case types.IPv4, types.IPv6:
		if number {
			return filter.Address, valueIPv4
		}
		return filter.Address, valueAddress
	case types.Time:
		return filter.Time, valueTime(t, nanosecond)
	case types.Timeval:
		return filter.Time, valueTime(t, microsecond)
	case types.Seconds:
		return filter.Duration, valueDuration(t)
	case types.Flags:
		switch {
		case t.Kind == types.Int:
			return filter.Enum, valueIntFlags
		case number:
			return filter.Enum, valueFlags
		}
	case types.Bits:
		if number {
			return filter.Enum, valueBits
		}
		return filter.Enum, valueBitmap
	}
	switch t.Kind {
	case types.Int, types.Hyper:
		return filter.Int, valueInt
	case types.Opaque, types.FixedOpaque:
		return filter.Bytes, valueBytes
	}
	return filter.Uint, valueUint
}

// enumNames are the names of an enum's values, without its prefix.
func enumNames(n *types.Names) iter.Seq2[string, uint64] {
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
func bitNames(n *types.Names) iter.Seq2[string, uint64] {
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

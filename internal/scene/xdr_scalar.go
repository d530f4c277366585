package scene

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// number is what a word stands for as a value of a type: digits, TRUE or FALSE,
// the name of an enum's value or of a bit (several with |), with or without what
// the text calls the enum's prefix.
func number(w string, t *types.Type, f *types.Field) (uint64, bool) {
	if v, err := strconv.ParseUint(w, 0, 64); err == nil {
		return v, true
	}
	if v, err := strconv.ParseInt(w, 0, 64); err == nil {
		return uint64(v), true
	}
	switch w {
	case "TRUE", "true":
		return 1, t.Kind == types.Bool
	case "FALSE", "false":
		return 0, t.Kind == types.Bool
	}
	names := []*types.Names{t.Names, t.As.Names}
	if f != nil {
		names = append(names, f.As.Names)
	}
	total := uint64(0)
	for _, part := range strings.Split(w, "|") {
		v, ok := named(part, names)
		if !ok {
			return 0, false
		}
		total |= v
	}
	return total, true
}

func named(w string, names []*types.Names) (uint64, bool) {
	for _, n := range names {
		if n != nil {
			if v, ok := n.Value(w); ok {
				return v, true
			}
		}
	}
	return 0, false
}

// unsaid is the number that the text says nothing of: 0 or, if an enum has no
// name for that, the first value that has one.
func unsaid(t *types.Type) uint64 {
	if t.Names == nil || t.Names.Name(0) != "" || len(t.Names.Members) == 0 {
		return 0
	}
	return uint64(t.Names.Members[0].Value)
}

// scalar writes a number.
func (x *encoder) scalar(t *types.Type, f *types.Field, n *node) {
	var v uint64
	switch {
	case n.value == nil:
		v = unsaid(t)
	case t.Kind == types.Float || t.Kind == types.Double || t.Kind == types.Quadruple:
		x.floating(t, n)
		return
	default:
		var ok bool
		if v, ok = number(n.value.word, t, f); !ok {
			x.failf(n.value.line, "%s: %q is no value of %s", n.name, n.value.word, t)
		}
	}
	switch t.Kind {
	case types.Hyper, types.UnsignedHyper, types.Double:
		x.b = binary.BigEndian.AppendUint64(x.b, v)
	case types.Quadruple:
		x.b = append(x.b, make([]byte, 16)...)
	default:
		if v > math.MaxUint32 && int64(v) != int64(int32(v)) {
			x.failf(n.line, "%s: %q does not fit 32 bits", n.name, n.value.word)
		}
		x.word(uint32(v))
	}
}

func (x *encoder) floating(t *types.Type, n *node) {
	v, err := strconv.ParseFloat(n.value.word, 64)
	if err != nil || t.Kind == types.Quadruple {
		x.failf(n.value.line, "%s: %q is no value of %s", n.name, n.value.word, t)
	}
	if t.Kind == types.Float {
		x.word(math.Float32bits(float32(v)))
		return
	}
	x.b = binary.BigEndian.AppendUint64(x.b, math.Float64bits(v))
}

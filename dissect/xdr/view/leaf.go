package view

import (
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// A Leaf is a run of bytes that is one value: a number, or opaque data or a string without length
// word and pad.
type Leaf struct {
	// Type is nil for the numbers of XDR itself: length words, counts, whether optional data are
	// there; and for words of which each bit has a name.
	Type *types.Type
	// Field is the field whose value it is, or is an element of; nil if it is in none.
	Field *types.Field
	// Start and End bound its bytes in the buffer.
	Start, End int
}

// Leaves reports the values in bytes that begin at offset at of b, in their order, and returns where
// they end. What is wrong, or travelled in a chunk, or stands after a fault, is none; bytes
// that belong to no Leaf are pad, or not understood.
func Leaves(r *walk.Route, b []byte, at int, reduced walk.Reduction, tell func(Leaf)) (end int) {
	n := nodes(r, b, at, reduced, nil, func(l Leaf) {
		l.Start, l.End = l.Start+at, l.End+at
		tell(l)
	})
	return n.End
}

func (v *view) emit(l Leaf) {
	if v.leaf != nil {
		v.leaf(l)
	}
}

// number reports the word or hyper that was read from an offset on, unless that failed.
func (v *view) number(t *types.Type, f *types.Field, at int) {
	if v.leaf == nil || v.Bad() {
		return
	}
	if f == nil {
		f = v.element
	}
	v.leaf(Leaf{Type: t, Field: f, Start: at, End: v.Offset()})
}

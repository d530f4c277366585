package types

import (
	"github.com/rdmacap/rdmacap/dissect/xdr/slab"
	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// Slabs are where the parts of a Spec lie. To make many small things one by one
// takes much longer than to make a few slices.
type slabs struct {
	typeSlab   []Type
	fieldSlab  []Field
	memberSlab []Member
	valueSlab  []valueName
	values     []valueName // of the enum in hand
	partSlab   []Part
	noteSlab   []syntax.Note
	argSlab    []syntax.Argument
	labelSlab  []syntax.Label
	markSlab   []Mark
	waySlab    []int // the fields on the way to marks
	way        []int // to the one that is made
}

// newType keeps a type without anything and enters it among all.
func (r *resolver) newType(k Kind, at syntax.Place) *Type {
	t := slab.New(&r.typeSlab)
	t.Kind, t.Place = k, at
	r.all = append(r.all, t)
	return t
}

// basic is the one type without a name of a kind that needs nothing else.
func (r *resolver) basic(k Kind) *Type {
	if int(k) >= len(r.basics) {
		return nil
	}
	if r.basics[k] == nil {
		r.basics[k] = r.newType(k, syntax.Place{})
	}
	return r.basics[k]
}

// note is a copy of a note, which stays.
func (r *resolver) note(n syntax.Note) syntax.Note {
	n.Args = slab.Copy(&r.argSlab, n.Args)
	return n
}

// noteAbout keeps notes about a type.
func (r *resolver) noteAbout(t *Type, notes []syntax.Note) {
	if len(notes) == 0 {
		return
	}
	kept := slab.Make(&r.noteSlab, len(t.notes)+len(notes))
	copy(kept, t.notes)
	for i, n := range notes {
		kept[len(t.notes)+i] = r.note(n)
	}
	t.notes = kept
}

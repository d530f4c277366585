package types

// Slabs are where the parts of a Spec lie. To make many small things one by one
// takes much longer than to make a few slices.
type slabs struct {
	typeSlab   []Type
	fieldSlab  []Field
	memberSlab []Member
	valueSlab  []valueName
	values     []valueName // of the enum in hand
	noteSlab   []note
	labelSlab  []label
	partSlab   []Part
	markSlab   []Mark
	waySlab    []int // the fields on the way to marks
	way        []int // to the one that is made
}

// newType keeps a type without anything and enters it among all.
func (r *resolver) newType(k Kind, at spot) *Type {
	t := slot(&r.typeSlab)
	t.Kind, t.Place = k, at.where()
	r.all = append(r.all, t)
	return t
}

// slot is a new item of a slab.
func slot[T any](slab *[]T) *T {
	n := len(*slab)
	if n == cap(*slab) {
		*slab, n = make([]T, 0, slabSize), 0
	}
	*slab = (*slab)[:n+1]
	return &(*slab)[n]
}

const slabSize = 64 // items

// basic is the one type without a name of a kind that needs nothing else.
func (r *resolver) basic(k Kind) *Type {
	if int(k) >= len(r.basics) {
		return nil
	}
	if r.basics[k] == nil {
		r.basics[k] = r.newType(k, spot{})
	}
	return r.basics[k]
}

// noteAbout keeps notes about a type.
func (r *resolver) noteAbout(t *Type, notes []note) {
	if len(t.notes) == 0 {
		t.notes = carve(&r.noteSlab, notes)
	} else {
		t.notes = append(t.notes, notes...)
	}
}

// carve copies items to a slab, or to a new one if it has no room.
func carve[T any](slab *[]T, items []T) []T {
	if cap(*slab)-len(*slab) < len(items) {
		*slab = make([]T, 0, max(slabSize, len(items)))
	}
	start := len(*slab)
	*slab = append(*slab, items...)
	return (*slab)[start:len(*slab):len(*slab)]
}

package lang

// Slabs are where the parts of a Spec lie. To make many small things one by one
// takes much longer than to make a few slices.
type slabs struct {
	typeSlab   []Type
	fieldSlab  []Field
	memberSlab []Member
}

// newType keeps a type and enters it among all.
func (r *resolver) newType(t Type) *Type {
	if len(r.typeSlab) == cap(r.typeSlab) {
		r.typeSlab = make([]Type, 0, 64)
	}
	r.typeSlab = append(r.typeSlab, t)
	kept := &r.typeSlab[len(r.typeSlab)-1]
	r.all = append(r.all, kept)
	return kept
}

// basic is the one type without a name of a kind that needs nothing else.
func (r *resolver) basic(k Kind) *Type {
	if int(k) >= len(r.basics) {
		return nil
	}
	if r.basics[k] == nil {
		r.basics[k] = r.newType(Type{Kind: k})
	}
	return r.basics[k]
}

func (r *resolver) keepFields(fields []Field) []Field { return carve(&r.fieldSlab, fields) }

func (r *resolver) keepMembers(members []Member) []Member { return carve(&r.memberSlab, members) }

// carve copies items to a slab, or to a new one if it has no room.
func carve[T any](slab *[]T, items []T) []T {
	if cap(*slab)-len(*slab) < len(items) {
		*slab = make([]T, 0, max(64, len(items)))
	}
	start := len(*slab)
	*slab = append(*slab, items...)
	return (*slab)[start:len(*slab):len(*slab)]
}

package types

// endless stands for the size of a type that has none yet.
const endless = 1 << 62

// measure finds the least size of each type, and whether it is the size of all
// its values. A type that has no end has none.
func (r *resolver) measure(*Spec) error {
	// What a type consists of stands before it, but for what contains itself:
	// there it takes more than one pass.
	order := make([]*Type, 0, len(r.all))
	for _, t := range r.all {
		order = t.parts(order)
	}
	for changed := true; changed; {
		changed = false
		for _, t := range order {
			if m := t.least(); m < t.Min {
				t.Min, changed = m, true
			}
		}
	}
	for _, t := range r.all {
		if t.Min >= endless {
			return fault(t.Place, "a value of "+t.String()+" would contain itself without end")
		}
	}
	for _, t := range order {
		if (t.Kind == Array || t.Kind == FixedArray) && t.Elem.Min == 0 {
			return fault(t.Place, "the elements would take no bytes")
		}
		// A type of fixed size does not contain itself, so that its parts
		// stand before it.
		t.Fixed = t.allFixed()
	}
	return nil
}

// parts appends the types in a type and then itself.
func (t *Type) parts(order []*Type) []*Type {
	if t.state == measured {
		return order
	}
	t.state, t.Min = measured, endless
	if t.Elem != nil {
		order = t.Elem.parts(order)
	}
	for i := range t.Fields {
		order = t.Fields[i].Type.parts(order)
	}
	return append(order, t)
}

// least is the least number of bytes of a value, as far as the types in it
// are measured.
func (t *Type) least() uint64 {
	const most = 1 << 40 // more than any message can hold
	switch t.Kind {
	case Void:
		return 0
	case FixedOpaque:
		return (uint64(t.Limit) + 3) &^ 3
	case FixedArray:
		if t.Elem.Min >= endless {
			if t.Limit > 0 {
				return endless
			}
			return 0
		}
		return min(most, uint64(t.Limit)*t.Elem.Min)
	case Opaque, String, Array, Optional:
		return 4
	case Struct:
		sum := uint64(0)
		for i := range t.Fields {
			m := t.Fields[i].Type.Min
			if m >= endless {
				return endless
			}
			sum = min(most, sum+m)
		}
		return sum
	case Union:
		m := uint64(endless)
		for i := range t.Fields[1:] {
			m = min(m, t.Fields[1+i].Type.Min)
		}
		return min(endless, m+4)
	}
	return uint64(t.Size())
}

// allFixed reports whether every value has the same size and none can be
// wrong, so that it can be passed over in one step.
func (t *Type) allFixed() bool {
	switch t.Kind {
	case Void, Int, UnsignedInt, Hyper, UnsignedHyper, Float, Double, Quadruple, Enum, FixedOpaque:
		return true
	case FixedArray:
		return t.Elem.Fixed
	case Struct:
		for i := range t.Fields {
			if !t.Fields[i].Type.Fixed {
				return false
			}
		}
		return true
	}
	return false
}

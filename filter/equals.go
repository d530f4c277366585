package filter

// Equals are the numbers that the expression compares a field with one by one, by ==, != or as
// members of a set that are no range. The field is a Uint or an Enum.
func (f *Filter) Equals(field int) []uint64 { return f.root.equals(nil, field) }

func (n *node) equals(list []uint64, field int) []uint64 {
	if n.join == leaf {
		if n.test.field == field {
			for _, s := range n.test.numbers {
				if s.lo == s.hi {
					list = append(list, s.lo)
				}
			}
		}
		return list
	}
	for i := range n.parts {
		list = n.parts[i].equals(list, field)
	}
	return list
}

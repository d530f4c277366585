package columns

// A dictionary numbers strings. It is bounded: a capture may have any number of
// different ones.
type dictionary struct {
	list  []string
	index map[string]int64
	bytes int
}

const (
	maxNames = 1 << 14
	maxBytes = 1 << 20
	// otherName stands for all that come after those.
	otherName = "(one of too many names)"
)

// of is the number of a string; "" is 0.
func (d *dictionary) of(s string) int64 {
	if n, ok := d.index[s]; ok {
		return n
	}
	if d.index == nil {
		d.index = make(map[string]int64)
		d.addString("")
		d.addString(otherName)
		return d.of(s)
	}
	if len(d.list) >= maxNames || d.bytes+len(s) > maxBytes {
		return 1
	}
	return d.addString(s)
}

func (d *dictionary) addString(s string) int64 {
	n := int64(len(d.list))
	d.list = append(d.list, s)
	d.index[s] = n
	d.bytes += len(s)
	return n
}

package columns

import (
	"encoding/binary"
	"slices"
)

// A setTable numbers lists of values. It is bounded; list 0 is empty, and so is what
// stands for all that come when it is full.
type setTable struct {
	list   [][]uint64
	index  map[string]int64
	values int
	key    []byte
	// full says that there were more.
	full bool
}

const (
	maxSets      = 1 << 14
	maxSetValues = 1 << 17
)

// of is the number of a list.
func (t *setTable) of(values []uint64) int64 {
	t.key = t.key[:0]
	for _, v := range values {
		t.key = binary.AppendUvarint(t.key, v)
	}
	if n, ok := t.index[string(t.key)]; ok {
		return n
	}
	if t.index == nil {
		t.index = map[string]int64{"": 0}
		t.list = append(t.list, []uint64{})
		return t.of(values)
	}
	if len(t.list) >= maxSets || t.values+len(values) > maxSetValues {
		t.full = true
		return 0
	}
	n := int64(len(t.list))
	t.index[string(t.key)] = n
	t.list = append(t.list, append([]uint64(nil), values...))
	t.values += len(values)
	return n
}

// sets are those of the last row, one for each column; at first they are empty, as is
// the set with the number 0.
type sets [][]uint64

// same reports whether a column has the same set again, and remembers it if not.
func (s *sets) same(column int, values []uint64) bool {
	for len(*s) <= column {
		*s = append(*s, nil)
	}
	last := &(*s)[column]
	if slices.Equal(*last, values) {
		return true
	}
	*last = append((*last)[:0], values...)
	return false
}

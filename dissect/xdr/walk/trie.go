package walk

import (
	"slices"
	"strconv"
)

// A trie is a set of marks, as the fields on the way to them. It is not changed
// once its name has been asked for.
type trie struct {
	marks []int32
	// fields are in ascending order.
	fields []branch
	// within is the set of those of fields alone.
	within *trie
	text   string
}

// A branch is what a set has in a field.
type branch struct {
	field int
	to    *trie
}

func (t *trie) addPath(fields []int, mark int32) {
	if len(fields) == 0 {
		if i, known := slices.BinarySearch(t.marks, mark); !known {
			t.marks = slices.Insert(t.marks, i, mark)
		}
		return
	}
	i, known := slices.BinarySearchFunc(t.fields, fields[0], func(b branch, field int) int { return b.field - field })
	if !known {
		t.fields = slices.Insert(t.fields, i, branch{fields[0], new(trie)})
	}
	t.fields[i].to.addPath(fields[1:], mark)
}

// each calls f for every mark in the set.
func (t *trie) each(path []int, f func(path []int, mark int32)) {
	for _, m := range t.marks {
		f(path, m)
	}
	for _, b := range t.fields {
		b.to.each(append(path[:len(path):len(path)], b.field), f)
	}
}

// join is the set of the marks of both; it is a, b or a new set.
func join(a, b *trie) *trie {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	both := new(trie)
	a.each(nil, both.addPath)
	b.each(nil, both.addPath)
	return both
}

// below is the set of marks in a field.
func (t *trie) below(field int) *trie {
	if t == nil {
		return nil
	}
	for _, b := range t.fields {
		if b.field == field {
			return b.to
		}
	}
	return nil
}

// here are the marks on the value itself.
func (t *trie) here() []int32 {
	if t == nil {
		return nil
	}
	return t.marks
}

// inner is the set without the marks on the value itself, nil if that is empty.
func (t *trie) inner() *trie {
	switch {
	case t == nil || len(t.fields) == 0:
		return nil
	case len(t.marks) == 0:
		return t
	case t.within == nil:
		t.within = &trie{fields: t.fields}
	}
	return t.within
}

// name is the same for equal sets and for no others.
func (t *trie) name() string {
	if t == nil {
		return ""
	}
	if t.text == "" {
		t.text = string(t.write(nil))
	}
	return t.text
}

func (t *trie) write(b []byte) []byte {
	for _, m := range t.marks {
		b = append(strconv.AppendInt(b, int64(m), 10), ',')
	}
	for _, f := range t.fields {
		b = append(strconv.AppendInt(b, int64(f.field), 10), '{')
		b = append(append(b, f.to.name()...), '}')
	}
	return b
}

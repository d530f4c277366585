package lang

import (
	"slices"
	"strconv"
	"strings"
)

// A Mark is a value that somebody wants to know.
type Mark struct {
	// Root is the type, declared by a name, from which Path counts.
	Root *Type
	// Path are the names of fields, with dots: "resok.count". It is "." for
	// the value of Root itself.
	Path string
	// Field is the last field of Path, nil where Path is ".".
	Field *Field
	// Type is the type of the value. For optional data it is what is there
	// if it is; for an array or list the value is the number of elements.
	Type *Type

	fields []int // Path as indices of fields, through elements and contents
}

// As says how the value is written.
func (m *Mark) As() As {
	switch {
	case m.Field != nil && m.Field.As.Format != Plain:
		return m.Field.As
	case m.Field == nil:
		return m.Root.As
	}
	return m.Type.As
}

// newMark finds the value that a path names, from the value of another mark on,
// or from a value of root if there is none. The reason says why there is none,
// and at which octet of the path.
func newMark(in *slabs, root *Type, from *Mark, path string) (m *Mark, at int, reason string) {
	m = slot(&in.markSlab)
	way := in.way[:0]
	m.Root, m.Path, m.Type = root, path, root
	steps := 0
	if path != "." {
		steps = strings.Count(path, ".") + 1
	}
	if from != nil {
		m.Type, m.Field, m.Path = from.Type, from.Field, from.Path
		if steps > 0 {
			m.Path += "." + path
		}
		way = append(way, from.fields...)
	}
	for range steps {
		name, rest, _ := strings.Cut(path, ".")
		of := within(m.Type, m.Field)
		if of == nil {
			return nil, at, m.Type.String() + " has no fields"
		}
		i := of.position(name)
		if i < 0 {
			return nil, at, of.String() + " has no field " + name + didYouMean(name, of.fieldNames())
		}
		way = append(way, i)
		m.Field, m.Type = &of.Fields[i], of.Fields[i].Type
		at += len(name) + 1
		path = rest
	}
	m.fields, in.way = carve(&in.waySlab, way), way
	if m.Type.Kind == Optional && !m.Type.IsList() && m.Type.Elem.leaf() {
		m.Type = m.Type.Elem
	}
	return m, 0, ""
}

// within is the struct or union in which the next name of a path stands, nil
// if there is none.
func within(t *Type, f *Field) *Type {
	for range 2 * maxNesting {
		switch {
		case t.Kind == Struct || t.Kind == Union:
			return t
		case t.Elem != nil:
			t = t.Elem
		case f != nil && f.Content != nil && t.Kind == Opaque:
			t, f = f.Content.Type, nil
		default:
			return nil
		}
	}
	return nil
}

func (t *Type) fieldNames() (names []string) {
	for i := range t.Fields {
		if t.Fields[i].Name != "" {
			names = append(names, t.Fields[i].Name)
		}
	}
	return names
}

// leaf reports whether a value can be told in one event: a number, octets, or
// how many elements there are.
func (t *Type) leaf() bool {
	switch t.Kind {
	case Void, Union:
		return false
	case Struct:
		return t.fixed
	}
	return true
}

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

func (t *trie) add(fields []int, mark int32) {
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
	t.fields[i].to.add(fields[1:], mark)
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
	a.each(nil, both.add)
	b.each(nil, both.add)
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

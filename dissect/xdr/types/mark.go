package types

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/slab"
	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
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

	// Steps is Path as indices of fields, through elements and contents.
	Steps []int
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

// Mark is the value of a field, named by a type and the way from there ("fattr3.size",
// "READ3res.resok.count"), or by its key ("nfs.fattr3.size"): it stands wherever a value
// of that type does. The name of a type alone, of one that is not another name of a type,
// stands for all its values ("stateid4").
func (s *Spec) Mark(name string) (*Mark, error) {
	of, path, _ := strings.Cut(name, ".")
	root := s.types[of]
	if root != nil && of == name && root.base == nil && root.IsLeaf() {
		path = "."
	} else if root == nil || path == "" || path == "." {
		// The keys of all fields are worth no table before one is asked for.
		k := s.byKey(name)
		if k.field == nil {
			return nil, fmt.Errorf("no field has the key or name %q%s", name, syntax.DidYouMean(name, s.allKeys()))
		}
		root, path = k.root, k.path
	}
	// One Mark is made, not the many that a slab has room for.
	one := &slabs{markSlab: make([]Mark, 0, 1), waySlab: make([]int, 0, strings.Count(path, ".")+1)}
	m, _, reason := newMark(one, root, nil, path)
	if reason != "" {
		return nil, fmt.Errorf("%s: %s", name, reason)
	}
	if !m.Type.IsLeaf() {
		return nil, fmt.Errorf("%s is a %v: name one of its fields", name, m.Type.Kind)
	}
	return m, nil
}

func (s *Spec) allKeys() (keys []string) {
	for f := range s.Fields() {
		keys = append(keys, f.Key)
	}
	return keys
}

// newMark finds the value that a path names, from the value of another mark on,
// or from a value of root if there is none. The reason says why there is none,
// and at which byte of the path.
func newMark(in *slabs, root *Type, from *Mark, path string) (m *Mark, at int, reason string) {
	m = slab.New(&in.markSlab)
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
		way = append(way, from.Steps...)
	}
	for range steps {
		name, rest, _ := strings.Cut(path, ".")
		of := within(m.Type, m.Field)
		if of == nil {
			return nil, at, m.Type.String() + " has no fields"
		}
		i := of.position(name)
		if i < 0 {
			return nil, at, of.String() + " has no field " + name + syntax.DidYouMean(name, of.fieldNames())
		}
		way = append(way, i)
		m.Field, m.Type = &of.Fields[i], of.Fields[i].Type
		at += len(name) + 1
		path = rest
	}
	m.Steps, in.way = slab.Copy(&in.waySlab, way), way
	if m.Type.Kind == Optional && !m.Type.IsList() && m.Type.Elem.IsLeaf() {
		m.Type = m.Type.Elem
	}
	return m, 0, ""
}

// maxWithin bounds how deep arrays and contents stand within each other on a path.
const maxWithin = 64

// within is the struct or union in which the next name of a path stands, nil
// if there is none.
func within(t *Type, f *Field) *Type {
	for range maxWithin {
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

// IsLeaf reports whether a value can be told in one event: a number, bytes, or
// how many elements there are.
func (t *Type) IsLeaf() bool {
	switch t.Kind {
	case Void, Union:
		return false
	case Struct:
		return t.Fixed
	}
	return true
}

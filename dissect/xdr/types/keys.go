package types

import (
	"iter"
	"strings"
)

// A keyed field is one with a key: the path to it counts from root.
type keyed struct {
	field *Field
	root  *Type
	path  string
}

// Fields are all fields that have a key, each once, in the order of the texts:
// what can be filtered by, named in JSON, or described in a reference.
func (s *Spec) Fields() iter.Seq[*Field] {
	return func(yield func(*Field) bool) {
		for _, f := range s.fields[:s.keyed] {
			if !yield(f) {
				return
			}
		}
	}
}

// Field is the field with that key, nil if there is none. Of two fields whose
// names differ only in case it is the first.
func (s *Spec) Field(key string) *Field { return s.byKey(key).field }

// byKey is the field with that key, and how to get there.
func (s *Spec) byKey(key string) keyed {
	s.names.Do(func() {
		s.names.byKey = make(map[string]keyed, s.keyed)
		s.eachRoot(func(root *Type, _ string) { s.index(root, root, "") })
	})
	return s.names.byKey[key]
}

// index enters the fields of a type, and those of types without a name in it.
func (s *Spec) index(root, t *Type, path string) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Name == "" {
			continue
		}
		if _, known := s.names.byKey[f.Key]; !known {
			s.names.byKey[f.Key] = keyed{f, root, path + f.Name}
		}
		if f.Type.Name == "" {
			s.index(root, f.Type, path+f.Name+".")
		}
	}
	if t.Elem != nil && t.Elem.Name == "" {
		s.index(root, t.Elem, path)
	}
}

// Key is what the keys of the type's own fields begin with: "nfs.read3args". It is
// "" for a type without a name, whose fields' keys begin as where it stands.
func (t *Type) Key() string {
	name := t.Root().Name
	if t.Name == "" || name == "" {
		return ""
	}
	return t.key + "." + strings.ToLower(name)
}

// Enum names a value of the field, as field.Field has it: nil if the field's
// values have no names.
func (f *Field) Enum() func(uint64) string {
	t := f.Type
	if t.Kind == Optional {
		t = t.Elem
	}
	switch {
	case t.Kind == Enum:
		return t.Names.Name
	case t.Kind == Bool:
		return BoolName
	}
	return nil
}

// BoolName is the name of a Bool's value, "" if it is neither 0 nor 1.
func BoolName(v uint64) string {
	switch v {
	case 0:
		return "FALSE"
	case 1:
		return "TRUE"
	}
	return ""
}

// eachRoot calls f for the types with whose names keys begin: those that are
// declared, and the arguments and results that have no name, by their
// procedure's.
func (s *Spec) eachRoot(f func(root *Type, name string)) {
	for _, t := range s.Types {
		if t.base == nil {
			f(t, t.Name)
		}
	}
	for _, p := range s.all {
		for _, t := range []*Type{p.Args, p.Result} {
			if t.Name == "" {
				f(t, p.Name)
			}
		}
	}
}

// keys gives the fields their keys. All of them lie in one text.
func (r *resolver) keys(s *Spec) error {
	count := 0
	for _, t := range r.all {
		count += len(t.Fields)
	}
	k := keyMaker{fields: make([]*Field, 0, count+len(r.order)/16)}
	k.text.Grow(36 * count)
	s.eachRoot(func(root *Type, name string) {
		start := k.text.Len()
		k.text.WriteString(root.key)
		k.text.WriteByte('.')
		k.lower(name)
		k.keys(root, k.text.String()[start:])
	})
	s.fields, s.keyed = k.fields, len(k.fields)
	// What is a field of nothing has a number too.
	s.bare = make(map[*Type]*Field)
	for _, t := range r.all {
		if t.Kind == Enum && t.Names.OK >= 0 {
			f := &Field{Type: t, As: t.As, Index: int32(len(s.fields))}
			s.bare[t] = f
			s.fields = append(s.fields, f)
		}
	}
	return nil
}

// A keyMaker writes keys one behind the other.
type keyMaker struct {
	fields []*Field
	text   strings.Builder
}

// keys gives the fields of a type, and of those of types without a name in it,
// their keys.
func (k *keyMaker) keys(t *Type, prefix string) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Name == "" {
			continue
		}
		start := k.text.Len()
		k.text.WriteString(prefix)
		k.text.WriteByte('.')
		k.lower(f.Name)
		f.Key, f.Index = k.text.String()[start:], int32(len(k.fields))
		k.fields = append(k.fields, f)
		if f.Type.Name == "" {
			k.keys(f.Type, f.Key)
		}
	}
	if t.Elem != nil && t.Elem.Name == "" {
		k.keys(t.Elem, prefix)
	}
}

func (k *keyMaker) lower(s string) {
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		k.text.WriteByte(c)
	}
}

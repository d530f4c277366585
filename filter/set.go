package filter

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Set is the fields that records of one level have. It is not changed once
// it is made, so any number of goroutines may compile filters of it.
type Set struct {
	// Elsewhere may say of a name that is not of this set where it belongs, as
	// in "bth.psn is of frames: add --level frame"; "" if it is of no level. It
	// is the hint of the error. It may be nil.
	Elsewhere func(name string) string

	fields  []Field
	index   map[string]int
	aliases []otherName
	others  map[string]int // of their names
}

// NewSet makes a set of fields. The index of a field there is the number that
// Record.Values is asked with. An error means that the fields are not well
// made: names of other than lower-case letters, digits, "_", "-" and single
// dots, names twice, words of the language, no kind, an Enum without names.
func NewSet(fields ...Field) (*Set, error) {
	s := &Set{fields: slices.Clone(fields), index: make(map[string]int, len(fields))}
	var wrong []error
	for i := range fields {
		f := &fields[i]
		_, twice := s.index[f.Name]
		_, word := operators[f.Name]
		switch {
		case !isName(f.Name) || word || isKeyword(f.Name):
			wrong = append(wrong, fmt.Errorf("%q cannot be the name of a field", f.Name))
		case twice:
			wrong = append(wrong, fmt.Errorf("two fields are named %s", f.Name))
		case f.Kind.String() == "":
			wrong = append(wrong, fmt.Errorf("%s has no kind", f.Name))
		case f.Hash != "" && (f.Kind != Bytes || !slices.ContainsFunc(fields, f.hashedBy)):
			wrong = append(wrong, fmt.Errorf("%s has no hash %s that is a number", f.Name, f.Hash))
		case f.Kind == Enum && f.Names == nil:
			wrong = append(wrong, fmt.Errorf("%s is an Enum without names", f.Name))
		}
		s.index[f.Name] = i
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return s, nil
}

// isName reports whether a user can write the name as one word.
func isName(name string) bool {
	if name == "" || name[0] < 'a' || name[0] > 'z' || strings.HasSuffix(name, ".") || hasDots(name) {
		return false
	}
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// Fields are the fields of the set, in their order. They must not be changed.
func (s *Set) Fields() []Field { return s.fields }

// Lookup returns the index of the field of that name, or of which it is an Alias.
// Case does not matter.
func (s *Set) Lookup(name string) (index int, ok bool) {
	_, index, ok = s.named(name)
	return index, ok
}

func (s *Set) own(name string) (index int, ok bool) {
	index, ok = s.index[name]
	if !ok {
		index, ok = s.index[strings.ToLower(name)]
	}
	return index, ok
}

// Check asks a record for every field and returns an error that names the
// fields of which it gave values of another kind; filters pass over these. It
// is for the tests of who writes a Record.
func (s *Set) Check(r Record) error {
	var wrong []error
	for i := range s.fields {
		f := &s.fields[i]
		v := Values{test: &test{field: i}, takes: f.Kind.class()}
		r.Values(i, &v)
		if v.other != 0 {
			wrong = append(wrong, fmt.Errorf("field %s takes %v and was given %v", f.Name, f.Kind, v.other))
		}
	}
	return errors.Join(wrong...)
}

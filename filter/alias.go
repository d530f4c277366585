package filter

import (
	"fmt"
	"strings"
)

// An Alias is another name of a field, which stands for it wherever its name may
// stand. Completions offer it, and hints suggest it, only where no field's own name will do.
type Alias struct {
	// Name is what a user may write, and Of the field that it means.
	Name, Of string
	// Seconds says that a number without a unit is seconds, of a Duration, or since
	// 1970-01-01 00:00:00 UTC, of a Time.
	Seconds bool
}

// An otherName is an alias as a Set has it.
type otherName struct {
	Alias
	index int
	// field is the one that it means, as its values are read; an error and its hint name
	// the field by its own name.
	field Field
}

// Alias gives fields further names. It is for who makes the set, before others
// have it. An error means that names are of other fields already, or of none.
func (s *Set) Alias(list ...Alias) error {
	if s.others == nil {
		s.others = make(map[string]int, len(list))
	}
	for _, a := range list {
		_, own := s.index[a.Name]
		_, twice := s.others[a.Name]
		i, ok := s.index[a.Of]
		switch {
		case !isName(a.Name) || own || twice:
			return fmt.Errorf("%q cannot be another name of %s", a.Name, a.Of)
		case !ok:
			return fmt.Errorf("%s is another name of %q, which is not a field", a.Name, a.Of)
		}
		f := s.fields[i]
		f.Seconds = a.Seconds
		s.others[a.Name] = len(s.aliases)
		s.aliases = append(s.aliases, otherName{a, i, f})
	}
	return nil
}

// alias is the alias of that name, in any case; nil if there is none.
func (s *Set) alias(name string) *otherName {
	i, ok := s.others[name]
	if !ok {
		i, ok = s.others[strings.ToLower(name)]
	}
	if !ok {
		return nil
	}
	return &s.aliases[i]
}

// named is the field of that name, or of which it is an alias.
func (s *Set) named(name string) (f *Field, index int, ok bool) {
	if i, ok := s.own(name); ok {
		return &s.fields[i], i, true
	}
	if a := s.alias(name); a != nil {
		return &a.field, a.index, true
	}
	return nil, 0, false
}

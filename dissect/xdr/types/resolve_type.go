package types

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// reference is the type of that name, which may be declared only later.
func (r *resolver) reference(name string, at syntax.Place) *Type {
	t := r.types[name]
	if t == nil {
		t = r.newType(Void, at)
		t.Name, t.state = name, undeclared
		r.types[name] = t
	}
	return t
}

// declare is the type that gets that name.
func (r *resolver) declare(name string, at syntax.Place) (*Type, error) {
	t := r.reference(name, at)
	if t.state != undeclared {
		return nil, twice(name, at, t.Place)
	}
	if name == "program" || name == "version" {
		return nil, fault(at, name+" is a word of the language")
	}
	t.state, t.Place = untouched, at
	return t, nil
}

// noted says how much was noted about types up to a place in the text.
type noted struct{ limits, unions, fieldNotes int }

func (r *resolver) count() noted { return noted{len(r.limits), len(r.unions), len(r.notes)} }

// declareTypedef declares a type by the name that it has been given. If other
// declarations refer to that name already, their type becomes this one, and what
// has been noted since the typedef began is about theirs.
func (r *resolver) declareTypedef(t *Type, since noted) error {
	before := r.types[t.Name]
	if before == nil {
		r.types[t.Name] = t
		before = t
	}
	if before != t {
		if before.state != undeclared {
			if t.base != nil && t.base == before.base || t.base == nil && before.base == nil && t.Kind == before.Kind && t.IsWord() && t.Kind != Enum {
				return nil // repeated for the use of another text
			}
			return twice(t.Name, t.Place, before.Place)
		}
		*before = *t
		for i := range r.limits[since.limits:] {
			replace(&r.limits[since.limits+i].t, t, before)
		}
		for i := range r.unions[since.unions:] {
			replace(&r.unions[since.unions+i].t, t, before)
		}
		for i := range r.notes[since.fieldNotes:] {
			replace(&r.notes[since.fieldNotes+i].t, t, before)
		}
		t.notes, t.base = nil, nil
	}
	if t.Name == "program" || t.Name == "version" {
		return fault(t.Place, t.Name+" is a word of the language")
	}
	r.order = append(r.order, before)
	return nil
}

func replace(at **Type, old, with *Type) {
	if *at == old {
		*at = with
	}
}

// tie gives names their meaning. Only when all is declared are types made what
// they are other names of, so that every declaration is whole when it is copied.
func (r *resolver) tie(*Spec) (err error) {
	for _, t := range r.all {
		if err := r.known(t); err != nil {
			return err
		}
	}
	for _, l := range r.limits {
		if l.t.Limit, err = r.word(l.v, "the length"); err != nil {
			return err
		}
	}
	for _, t := range r.all {
		if t.Kind == Enum {
			r.index(t.Names)
		}
	}
	for _, t := range r.order {
		if err := r.chain(t); err != nil {
			return err
		}
	}
	for _, u := range r.unions {
		if err := r.labels(u.t, u.labels); err != nil {
			return err
		}
	}
	for _, t := range r.aliases {
		base := *t.base
		base.Name, base.Doc, base.Place, base.key = t.Name, t.Doc, t.Place, t.key
		base.notes, base.base = t.notes, t.base
		*t = base
	}
	for _, t := range r.all {
		if t.Elem != nil && t.Elem.Kind == Void {
			return fault(t.Place, "void cannot be an element")
		}
	}
	return nil
}

// chain puts a type that is another name after the type it is a name of. A
// chain of names that comes back to itself names nothing.
func (r *resolver) chain(t *Type) error {
	switch {
	case t.base == nil || t.state == resolved:
		return nil
	case t.state == resolving:
		return fault(t.Place, t.Name+" is only another name of itself")
	}
	t.state = resolving
	if err := r.chain(t.base); err != nil {
		return err
	}
	t.state = resolved
	r.aliases = append(r.aliases, t)
	return nil
}

// Root is the type that a type is another name of, at last.
func (t *Type) Root() *Type {
	for t.base != nil {
		t = t.base
	}
	return t
}

// usual are the names that count as declared unless a text declares them.
func usual() map[string]Kind {
	return map[string]Kind{
		"int8_t": Int, "int16_t": Int, "int32_t": Int, "int64_t": Hyper, "quad_t": Hyper, "longlong_t": Hyper,
		"uint8_t": UnsignedInt, "uint16_t": UnsignedInt, "uint32_t": UnsignedInt, "uint64_t": UnsignedHyper,
		"u_int8_t": UnsignedInt, "u_int16_t": UnsignedInt, "u_int32_t": UnsignedInt, "u_int64_t": UnsignedHyper,
		"u_char": UnsignedInt, "u_short": UnsignedInt, "u_int": UnsignedInt, "u_long": UnsignedInt,
		"u_quad_t": UnsignedHyper, "u_longlong_t": UnsignedHyper, "bool_t": Bool,
		"netobj": Opaque, // opaque<1024>, which rpcgen takes from a C header
	}
}

// known makes a type that no text declares what its name usually means.
func (r *resolver) known(t *Type) error {
	if t.state != undeclared {
		return nil
	}
	if r.usual == nil {
		r.usual = usual()
	}
	k, ok := r.usual[t.Name]
	if !ok {
		names := r.typeNames()
		for name := range r.usual {
			names = append(names, name)
		}
		names = append(names, "int", "long", "short", "char", "hyper", "float", "double", "quadruple", "bool")
		slices.Sort(names)
		return fault(t.Place, "type "+t.Name+" is not declared"+syntax.DidYouMean(t.Name, names))
	}
	t.Kind, t.state = k, untouched
	if k == Opaque {
		t.Limit = 1024 // netobj
	}
	return nil
}

// typeNames are the names of the declared types.
func (r *resolver) typeNames() (names []string) {
	for _, t := range r.order {
		names = append(names, t.Name)
	}
	return names
}

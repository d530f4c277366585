package types

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// annotate lays the notes on the types and fields they stand at.
func (r *resolver) annotate(*Spec) error {
	for _, t := range r.all {
		if err := r.annotateType(t); err != nil {
			return err
		}
		if t.IsOperations() {
			t.Elem.Fields[0].Selects = t.Elem
		}
	}
	for _, t := range r.all {
		if t.base != nil {
			continue
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.As = f.Type.As; f.As.Format == Plain && f.Type.Kind == Optional {
				f.As = f.Type.Elem.As
			}
			if f.Bind, f.Varies = f.Type.Bind, f.Type.Varies; f.Type.Kind == Optional && f.Type.Elem.Kind != Struct {
				f.Bind, f.Varies = f.Type.Elem.Bind, f.Type.Elem.Varies
			}
		}
	}
	for _, t := range r.all {
		for _, n := range t.notes {
			if n.Name == "status" && t.Kind == Union {
				if err := r.annotateField(t, 0, n); err != nil {
					return err
				}
			}
		}
	}
	for i := range r.notes {
		n := &r.notes[i]
		if err := r.annotateField(n.t, n.field, n.note); err != nil {
			return err
		}
	}
	return nil
}

// annotateType lays the notes on a type: first those of the type of which it is
// another name.
func (r *resolver) annotateType(t *Type) error {
	if t.annotated {
		return nil
	}
	t.annotated = true
	if t.base != nil {
		if err := r.annotateType(t.base); err != nil {
			return err
		}
		t.As, t.Bind, t.Varies = t.base.As, t.base.Bind, t.base.Varies
	}
	for _, n := range t.notes {
		var err error
		switch {
		case n.Name == "as":
			t.As, err = r.as(t, n)
		case n.Name == "bind":
			t.Bind, err = r.bind(t, nil, n)
		case n.Name == "varies":
			t.Varies = true
		case n.Name == "summary":
			// Its places are found when all notes are laid.
		case n.Name == "prefix" && t.Kind == Enum && t.base == nil:
			t.Names.Prefix = n.Args[0].Text
		case n.Name == "status" && t.Kind == Enum && t.base == nil:
			t.Names.OK, err = success(t, n)
		case n.Name == "status" && t.Kind == Union && t.base == nil:
			// It is about the discriminant.
		default:
			err = fault(n.Place, "@"+n.Name+" says nothing about "+article(t))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func article(t *Type) string {
	what := t.Kind.String()
	if t.base != nil || t.Kind < Enum {
		what = "typedef"
	}
	if strings.ContainsRune("aeiou", rune(what[0])) {
		return "an " + what
	}
	return "a " + what
}

// success is the index of the member that @status names.
func success(t *Type, n syntax.Note) (int, error) {
	name := n.Args[0]
	i := t.Names.position(name.Text)
	if i < 0 {
		return -1, fault(name.Place, name.Text+" is not a value of "+t.String()+syntax.DidYouMean(name.Text, t.Names.names()))
	}
	return i, nil
}

// as reads an @as note about values of a type.
func (r *resolver) as(t *Type, n syntax.Note) (as As, err error) {
	name := n.Args[0]
	i := slices.Index(formats[:], name.Text)
	if i < 0 {
		return as, fault(name.Place, "@as does not know "+name.Text+syntax.DidYouMean(name.Text, formats[:])+" (it knows "+strings.Join(formats[:], ", ")+")")
	}
	as.Format = Format(i)
	on := t
	if t.Kind == Optional {
		on = t.Elem
	}
	if !as.Format.fits(on) {
		return as, fault(name.Place, "a value of "+t.String()+" cannot be written as "+name.Text)
	}
	if len(n.Args) > 1 {
		enum, err := r.named(n.Args[1])
		if err != nil {
			return as, err
		}
		if enum.Kind != Enum {
			return as, fault(n.Args[1].Place, enum.Name+" is not an enum")
		}
		as.Names = enum.Names
	}
	return as, nil
}

// named is the type that an argument of a note names.
func (r *resolver) named(name syntax.Argument) (*Type, error) {
	t := r.types[name.Text]
	if t == nil {
		return nil, fault(name.Place, "type "+name.Text+" is not declared"+syntax.DidYouMean(name.Text, r.typeNames()))
	}
	return t, nil
}

// annotateField lays a note on a field of a struct or union.
func (r *resolver) annotateField(t *Type, i int, n syntax.Note) (err error) {
	f := &t.Fields[i]
	if f.Type.Kind == Void {
		return fault(n.Place, "@"+n.Name+" says nothing about void")
	}
	switch n.Name {
	case "as":
		f.As, err = r.as(f.Type, n)
	case "bind":
		f.Bind, err = r.bind(f.Type, t, n)
	case "varies":
		f.Varies = true
	case "status":
		if f.Type.Kind != Enum {
			return fault(n.Place, "@status belongs to an enum, or to a result whose first field is one")
		}
		at, err := success(f.Type, n)
		if err != nil {
			return err
		}
		f.Status, f.OK = true, uint32(f.Type.Names.Members[at].Value)
	case "eligible":
		if f.Type.Kind != Opaque && f.Type.Kind != String {
			return fault(n.Place, "only opaque<> and string<> are eligible here")
		}
		f.Eligible = true
		if len(n.Args) > 0 {
			f.EligibleRef = n.Args[0].Text
		}
	case "attributes", "contains":
		return r.content(t, i, n)
	default:
		return fault(n.Place, "@"+n.Name+" says nothing about a field")
	}
	return err
}

// content reads what a note says about the bytes of a field.
func (r *resolver) content(t *Type, i int, n syntax.Note) error {
	f := &t.Fields[i]
	if f.Type.Kind != Opaque {
		return fault(n.Place, "@"+n.Name+" belongs to opaque<>")
	}
	of, err := r.named(n.Args[0])
	if err != nil {
		return err
	}
	c := &Content{Type: of, By: -1, Attributes: n.Name == "attributes"}
	f.Content = c
	if !c.Attributes && len(n.Args) == 1 {
		return nil
	}
	if of.Kind != Union {
		return fault(n.Args[0].Place, of.Name+" is not a union")
	}
	if t.Kind != Struct {
		return fault(n.Place, "@"+n.Name+" comes after another field of a struct")
	}
	for j := range i {
		before := &t.Fields[j]
		if c.Attributes && before.Type.bitmap() || !c.Attributes && before.Name == n.Args[1].Text {
			c.By = j
		}
	}
	switch {
	case c.By < 0 && c.Attributes:
		return fault(n.Place, "no bitmap (unsigned int<>) precedes the field")
	case c.By < 0:
		return fault(n.Args[1].Place, "no field "+n.Args[1].Text+" precedes the field")
	case !c.Attributes && (!t.Fields[c.By].Type.IsWord() || t.Fields[c.By].Type.Size() != 4):
		return fault(n.Args[1].Place, "an arm is selected by a word of 4 bytes")
	}
	return nil
}

// bitmap reports whether a type is an array of words.
func (t *Type) bitmap() bool { return t.Kind == Array && t.Elem.Kind == UnsignedInt }

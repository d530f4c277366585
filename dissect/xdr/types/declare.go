package types

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/xdr/slab"
	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// typedef declares another name for a type, or the name of one that has none.
func (r *resolver) typedef(f *syntax.Field) error {
	before := r.count()
	t, err := r.typeOf(f.Type)
	if err != nil {
		return err
	}
	switch {
	case t.Name == f.Name:
		return nil // typedef struct NAME NAME, the C way: it says nothing here
	case t.Name != "":
		// Another name for a type that has one.
		alias := r.newType(Void, f.Place)
		alias.base = t
		t = alias
	case t == r.basic(t.Kind):
		t = r.newType(t.Kind, f.Place)
	}
	t.Name, t.Doc, t.Place, t.key = f.Name, f.Doc, f.Place, r.key
	r.noteAbout(t, f.Notes)
	return r.declareTypedef(t, before)
}

// typeOf is the type that is written so.
func (r *resolver) typeOf(s *syntax.Type) (*Type, error) {
	var t *Type
	switch s.Form {
	case syntax.Basic:
		return r.basic(kindOf(s.Word)), nil
	case syntax.Reference:
		return r.reference(s.Word, s.Place), nil
	case syntax.Enum, syntax.Struct, syntax.Union:
		return r.composite(s)
	case syntax.Opaque:
		t = r.newType(Opaque, s.Place)
		if s.Fixed {
			t.Kind = FixedOpaque
		}
	case syntax.String:
		t = r.newType(String, s.Place)
	default:
		elem, err := r.typeOf(s.Elem)
		if err != nil {
			return nil, err
		}
		t = r.newType(Array, s.Place)
		t.Elem = elem
		switch {
		case s.Form == syntax.Optional:
			t.Kind = Optional
			return t, nil
		case s.Fixed:
			t.Kind = FixedArray
		}
	}
	if t.Limit = Unlimited; s.Limit.Text != "" {
		r.limits = append(r.limits, limit{t, s.Limit})
	}
	return t, nil
}

// kindOf is the kind that a word of the language means.
func kindOf(word string) Kind {
	for k := Int; k <= Bool; k++ {
		if kinds[k] == word {
			return k
		}
	}
	return Void
}

// composite declares an enum, struct or union; one without a name is only made.
func (r *resolver) composite(s *syntax.Type) (t *Type, err error) {
	if s.Name == "" {
		t = r.newType(Void, s.Place)
	} else if t, err = r.declare(s.Name, s.Place); err != nil {
		return nil, err
	}
	t.key, t.Doc = r.key, s.Doc
	r.noteAbout(t, s.Notes)
	switch s.Form {
	case syntax.Enum:
		err = r.enum(t, s)
	case syntax.Struct:
		t.Kind = Struct
		err = r.fields(t, s.Fields)
	default:
		t.Kind, t.Default = Union, s.Default
		err = r.fields(t, s.Fields)
		r.unions = append(r.unions, cases{t, slab.Copy(&r.labelSlab, s.Labels)})
	}
	if err == nil && t.Name != "" {
		r.order = append(r.order, t)
	}
	return t, err
}

func (r *resolver) enum(t *Type, s *syntax.Type) error {
	t.Kind = Enum
	t.Names = &Names{Type: t.Name, OK: -1, Members: slab.Make(&r.memberSlab, len(s.Members))}
	for i := range s.Members {
		m := &s.Members[i]
		if err := r.declareMember(t, i, m.Name, m.Value, m.Place); err != nil {
			return err
		}
		t.Names.Members[i] = Member{Name: m.Name, Rank: MaxRank, Doc: m.Doc, Place: m.Place}
		for _, n := range m.Notes {
			switch n.Name {
			case "retry":
				t.Names.Members[i].Retry = true
				continue
			case "unsequenced":
				t.Names.Members[i].Unsequenced = true
				continue
			}
			rank, err := strconv.ParseUint(n.Args[0].Text, 10, 8)
			if err != nil {
				return fault(n.Args[0].Place, "a rank is a number from 0 to "+strconv.Itoa(MaxRank)+", not "+n.Args[0].Text)
			}
			t.Names.Members[i].Rank = uint8(rank)
		}
	}
	return nil
}

// fields makes the fields of a type.
func (r *resolver) fields(t *Type, list []syntax.Field) error {
	fields := slab.Make(&r.fieldSlab, len(list))
	for i := range list {
		s := &list[i]
		of, err := r.typeOf(s.Type)
		if err != nil {
			return err
		}
		fields[i] = Field{Name: s.Name, Type: of, Doc: s.Doc, Place: s.Place}
		for _, n := range s.Notes {
			r.notes = append(r.notes, fieldNote{t, i, r.note(n)})
		}
	}
	t.Fields = fields
	return nil
}

// program declares a program with its versions and procedures.
func (r *resolver) program(s *syntax.Program) error {
	p := &Program{Name: s.Name, Doc: s.Doc, Place: s.Place}
	for _, sv := range s.Versions {
		v := &Version{Name: sv.Name, Doc: sv.Doc, Place: sv.Place}
		for _, sp := range sv.Procedures {
			proc, err := r.procedure(sp)
			if err != nil {
				return err
			}
			proc.Program, proc.Version = p, v
			v.Procedures = append(v.Procedures, proc)
			r.numbers = append(r.numbers, number{sp.Number, &proc.Number})
		}
		p.Versions = append(p.Versions, v)
		r.numbers = append(r.numbers, number{sv.Number, &v.Number})
	}
	r.programs = append(r.programs, p)
	r.numbers = append(r.numbers, number{s.Number, &p.Number})
	return nil
}

func (r *resolver) procedure(s *syntax.Procedure) (*Procedure, error) {
	p := &Procedure{Name: s.Name, Doc: s.Doc, Place: s.Place}
	var err error
	if p.Result, err = r.typeOf(s.Result); err != nil {
		return nil, err
	}
	if len(s.Args) == 1 {
		p.Args, err = r.typeOf(s.Args[0].Type)
		return p, err
	}
	p.Args = r.newType(Struct, s.Args[0].Type.Place)
	p.Args.key = r.key
	if err := r.fields(p.Args, s.Args); err != nil {
		return nil, err
	}
	for i := range p.Args.Fields {
		if f := &p.Args.Fields[i]; f.Name == "" {
			f.Name = "arg" + strconv.Itoa(i+1)
		}
	}
	return p, nil
}

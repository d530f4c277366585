package syntax

import (
	"slices"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/xdr/slab"
)

// composite reads an enum, struct or union. With named it must have a name and
// is declared; otherwise a name is allowed and declared too.
func (p *Parser) composite(named bool) (*Type, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, fault(p.here(), "types are nested too deeply")
	}
	defer func() { p.depth-- }()
	word := p.next()
	t := p.newType(form(word.text), p.at(word))
	if named || isName(p.peek().text) && p.peek().text != "switch" {
		name, err := p.name("the " + word.text)
		if err != nil {
			return nil, err
		}
		t.Name, t.Place = name.text, p.at(name)
	}
	// Comments within a declaration around this one are about that one.
	outside := p.base
	if !named {
		p.base = len(p.seen)
	}
	err := p.body(t)
	p.base = outside
	return t, err
}

func (p *Parser) body(t *Type) error {
	switch t.Form {
	case Enum:
		return p.enum(t)
	case Struct:
		return p.structure(t)
	}
	return p.union(t)
}

// form is that of a type with a body, by its word.
func form(word string) Form {
	switch word {
	case "enum":
		return Enum
	case "struct":
		return Struct
	}
	return Union
}

// noteAbout keeps notes about a type.
func (p *Parser) noteAbout(t *Type, notes []Note) {
	if len(t.Notes) == 0 {
		t.Notes = slab.Copy(&p.noteSlab, notes)
	} else {
		t.Notes = append(t.Notes, notes...)
	}
}

// open reads the { of a body and the comments that belong to the whole.
func (p *Parser) open(t *Type) error {
	if !p.accept("{") {
		return p.expect("{", "before the "+t.Form.String()+"'s body")
	}
	p.trailing()
	notes, doc, err := p.about(int32(t.Place.Line))
	t.Doc = doc
	p.noteAbout(t, notes)
	return err
}

// closed reads the } of a body.
func (p *Parser) closed(t *Type) error {
	if !p.accept("}") {
		return p.expect("}", "after the "+t.Form.String()+"'s body")
	}
	notes, _, err := p.about(int32(t.Place.Line))
	p.noteAbout(t, notes)
	return err
}

func (p *Parser) enum(t *Type) error {
	if err := p.open(t); err != nil {
		return err
	}
	start := len(p.members)
	for p.peek().text != "}" {
		name, err := p.name("a value")
		if err != nil {
			return err
		}
		m := Member{Name: name.text, Place: p.at(name)}
		if p.accept("=") {
			if m.Value, err = p.value(); err != nil {
				return err
			}
		}
		p.trailing()
		if !p.accept(",") && p.peek().text != "}" {
			return fault(p.here(), "expected , or } after a value, not "+p.peek().shown())
		}
		p.trailing()
		notes, doc, err := p.about(name.line)
		if err != nil {
			return err
		}
		// Some are about the value, anything else about the enum.
		if slices.ContainsFunc(notes, aboutMember) {
			own := slices.DeleteFunc(slices.Clone(notes), func(n Note) bool { return !aboutMember(n) })
			m.Notes = slab.Copy(&p.noteSlab, own)
			notes = slices.DeleteFunc(notes, aboutMember)
		}
		p.noteAbout(t, notes)
		m.Doc = doc
		p.members = append(p.members, m)
	}
	if len(p.members) == start {
		return fault(p.here(), "an enum has at least one value")
	}
	t.Members = slab.Copy(&p.memberSlab, p.members[start:])
	p.members = p.members[:start]
	return p.closed(t)
}

// A group is the fields, so far, of the struct or union that is being read.
type group struct {
	t *Type
	// start is where they begin in Parser.fields.
	start int
	// names are their lines by their names, as soon as they are many.
	names map[string]int
}

// member reads one field of a struct, or the declaration of a union's arm.
func (p *Parser) member(g *group, first int32) error {
	f, err := p.declaration()
	if err != nil {
		return err
	}
	notes, doc, err := p.done(first, "the field")
	if err != nil {
		return err
	}
	// What a line says about the whole, or which value of the discriminant is
	// success, is about the type.
	whole := func(n Note) bool { return n.Name == "summary" || n.Name == "status" && g.t.Form == Union }
	for i := range notes {
		if whole(notes[i]) {
			p.noteAbout(g.t, notes[i:i+1])
		}
	}
	f.Notes, f.Doc = slab.Copy(&p.noteSlab, slices.DeleteFunc(notes, whole)), doc
	if before := p.lineOf(g, f.Name); before > 0 {
		return fault(f.Place, f.Name+" is declared twice, first in line "+strconv.Itoa(before))
	}
	p.fields = append(p.fields, f)
	if g.names != nil {
		g.names[f.Name] = f.Place.Line
	}
	return nil
}

// lineOf is the line of the field of that name, 0 if there is none so far.
func (p *Parser) lineOf(g *group, name string) int {
	if name == "" {
		return 0
	}
	fields := p.fields[g.start:]
	const many = 32
	if len(fields) >= many && g.names == nil {
		g.names = make(map[string]int)
		for i := range fields {
			g.names[fields[i].Name] = fields[i].Place.Line
		}
	}
	if g.names != nil {
		return g.names[name]
	}
	for i := range fields {
		if fields[i].Name == name {
			return fields[i].Place.Line
		}
	}
	return 0
}

// keep gives the type its fields.
func (p *Parser) keep(g *group) {
	g.t.Fields = slab.Copy(&p.fieldSlab, p.fields[g.start:])
	p.fields = p.fields[:g.start]
}

func (p *Parser) structure(t *Type) error {
	if err := p.open(t); err != nil {
		return err
	}
	g := group{t: t, start: len(p.fields)}
	for p.peek().text != "}" {
		if p.peek().text == "void" {
			return fault(p.here(), "a field of a struct cannot be void")
		}
		if err := p.member(&g, p.peek().line); err != nil {
			return err
		}
	}
	p.keep(&g)
	return p.closed(t)
}

// aboutMember reports whether a note at an enum's value is about that value.
func aboutMember(n Note) bool {
	return n.Name == "rank" || n.Name == "retry" || n.Name == "unsequenced"
}

package types

import "strconv"

// composite reads an enum, struct or union. With named it must have a name and
// is declared; otherwise a name is allowed and declared too.
func (p *parser) composite(named bool) (*Type, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, fault(p.here(), "types stand too deep within each other")
	}
	defer func() { p.depth-- }()
	word := p.next()
	at := p.spot(word)
	var t *Type
	if named || isName(p.peek().text) && p.peek().text != "switch" {
		name := p.peek()
		if !isName(name.text) || isKeyword(name.text) {
			_, err := p.name("the " + word.text)
			return nil, err
		}
		p.next()
		var err error
		if t, err = p.out.declare(name.text, p.spot(name)); err != nil {
			return nil, err
		}
	} else {
		t = p.out.newType(Void, at)
	}
	t.key = p.key
	// Comments within a declaration around this one are about that one.
	outside := p.base
	if !named {
		p.base = len(p.seen)
	}
	err := p.body(t, word.text)
	p.base = outside
	if err == nil && t.Name != "" {
		p.out.order = append(p.out.order, t)
	}
	return t, err
}

func (p *parser) body(t *Type, word string) error {
	switch word {
	case "enum":
		return p.enum(t)
	case "struct":
		return p.structure(t)
	}
	return p.union(t)
}

// open reads the { of a body and the comments that belong to the whole.
func (p *parser) open(t *Type) error {
	if !p.accept("{") {
		return p.expect("{", "before the "+t.what()+"'s body")
	}
	p.trailing()
	notes, doc, err := p.about(int32(t.Place.Line))
	t.Doc = doc
	p.out.noteAbout(t, notes)
	return err
}

// shut reads the } of a body.
func (p *parser) shut(t *Type) error {
	if !p.accept("}") {
		return p.expect("}", "behind the "+t.what()+"'s body")
	}
	notes, _, err := p.about(int32(t.Place.Line))
	p.out.noteAbout(t, notes)
	return err
}

func (t *Type) what() string {
	if t.Kind == Void {
		return "type"
	}
	return t.Kind.String()
}

func (p *parser) enum(t *Type) error {
	t.Kind = Enum
	t.Names = &Names{Type: t.Name, OK: -1}
	if err := p.open(t); err != nil {
		return err
	}
	start := len(p.members)
	for p.peek().text != "}" {
		name, err := p.name("a value")
		if err != nil {
			return err
		}
		v := value{at: p.spot(name)}
		if p.accept("=") {
			if v, err = p.value(); err != nil {
				return err
			}
		}
		p.trailing()
		if !p.accept(",") && p.peek().text != "}" {
			return fault(p.here(), "expected , or } behind a value, not "+p.peek().shown())
		}
		p.trailing()
		notes, doc, err := p.about(name.line)
		if err != nil {
			return err
		}
		p.out.noteAbout(t, notes)
		if err := p.out.declareMember(t, len(p.members)-start, name.text, v, p.spot(name)); err != nil {
			return err
		}
		p.members = append(p.members, Member{Name: name.text, Doc: doc, Place: p.place(name)})
	}
	if len(p.members) == start {
		return fault(p.here(), "an enum has at least one value")
	}
	t.Names.Members = carve(&p.out.memberSlab, p.members[start:])
	p.members = p.members[:start]
	return p.shut(t)
}

// A group is the fields, so far, of the struct or union that is being read.
type group struct {
	t *Type
	// start is where they begin in parser.fields.
	start int
	// names are their lines by their names, as soon as they are many.
	names map[string]int
}

// member reads one field of a struct, or the declaration of a union's arm.
func (p *parser) member(g *group, first int32) error {
	f, err := p.declaration()
	if err != nil {
		return err
	}
	notes, doc, err := p.done(first, "the field")
	if err != nil {
		return err
	}
	for i, n := range notes {
		// What a line says about the whole, or which value of the
		// discriminant is success, is about the type.
		if n.name == "summary" || n.name == "status" && g.t.Kind == Union {
			p.out.noteAbout(g.t, notes[i:i+1])
		} else {
			p.out.notes = append(p.out.notes, fieldNote{g.t, len(p.fields) - g.start, n})
		}
	}
	if before := p.lineOf(g, f.name); before > 0 {
		return fault(f.at, f.name+" is declared twice, first in line "+strconv.Itoa(before))
	}
	p.fields = append(p.fields, Field{Name: f.name, Type: f.t, Doc: doc, Place: f.at.where()})
	if g.names != nil {
		g.names[f.name] = int(f.at.line)
	}
	return nil
}

// lineOf is the line of the field of that name, 0 if there is none so far.
func (p *parser) lineOf(g *group, name string) int {
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
func (p *parser) keep(g *group) {
	g.t.Fields = carve(&p.out.fieldSlab, p.fields[g.start:])
	p.fields = p.fields[:g.start]
}

func (p *parser) structure(t *Type) error {
	t.Kind = Struct
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
	return p.shut(t)
}

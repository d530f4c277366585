package syntax

import "github.com/rdmacap/rdmacap/dissect/xdr/slab"

// program reads program NAME { version ... } = NUMBER; (RFC 5531, section 12).
func (p *Parser) program() (*Program, error) {
	first := p.next().line
	name, err := p.name("the program")
	if err != nil {
		return nil, err
	}
	prog := &Program{Name: name.text, Place: p.at(name)}
	if err := p.expect("{", "after the program's name"); err != nil {
		return nil, err
	}
	p.trailing()
	if prog.Doc, err = p.doc(first, "program"); err != nil {
		return nil, err
	}
	for p.peek().text != "}" {
		if err := p.version(prog); err != nil {
			return nil, err
		}
	}
	prog.Number, err = p.number("program")
	return prog, err
}

func (p *Parser) version(prog *Program) error {
	first := p.peek().line
	if err := p.expect("version", "in the program"); err != nil {
		return err
	}
	name, err := p.name("the version")
	if err != nil {
		return err
	}
	v := &Version{Name: name.text, Place: p.at(name)}
	if err := p.expect("{", "after the version's name"); err != nil {
		return err
	}
	p.trailing()
	if v.Doc, err = p.doc(first, "version"); err != nil {
		return err
	}
	for p.peek().text != "}" {
		if err := p.procedure(v); err != nil {
			return err
		}
	}
	prog.Versions = append(prog.Versions, v)
	v.Number, err = p.number("version")
	return err
}

// number reads } = NUMBER;
func (p *Parser) number(of string) (Value, error) {
	if err := p.expect("}", "after the "+of+"'s body"); err != nil {
		return Value{}, err
	}
	if err := p.expect("=", "and the "+of+"'s number"); err != nil {
		return Value{}, err
	}
	v, err := p.value()
	if err != nil {
		return Value{}, err
	}
	if err := p.expect(";", "after the "+of+"'s number"); err != nil {
		return Value{}, err
	}
	p.trailing()
	_, err = p.doc(int32(v.Place.Line), of)
	return v, err
}

func (p *Parser) procedure(v *Version) error {
	first := p.peek().line
	proc := &Procedure{}
	var err error
	if proc.Result, err = p.procType(); err != nil {
		return err
	}
	name, err := p.name("the procedure")
	if err != nil {
		return err
	}
	proc.Name, proc.Place = name.text, p.at(name)
	if err := p.expect("(", "after the procedure's name"); err != nil {
		return err
	}
	start := len(p.fields)
	for {
		place := p.at(p.peek())
		t, err := p.procType()
		if err != nil {
			return err
		}
		arg := Field{Type: t, Place: place}
		// The newer syntax of rpcgen allows a name.
		if n := p.peek(); isName(n.text) && !isKeyword(n.text) {
			arg.Name, arg.Place = p.next().text, p.at(n)
		}
		p.fields = append(p.fields, arg)
		if !p.accept(",") {
			break
		}
	}
	if err := p.expect(")", "after the arguments"); err != nil {
		return err
	}
	if err := p.expect("=", "and the procedure's number"); err != nil {
		return err
	}
	if proc.Number, err = p.value(); err != nil {
		return err
	}
	if err := p.expect(";", "after the procedure's number"); err != nil {
		return err
	}
	p.trailing()
	if proc.Doc, err = p.doc(first, "procedure"); err != nil {
		return err
	}
	proc.Args = slab.Copy(&p.fieldSlab, p.fields[start:])
	p.fields = p.fields[:start]
	v.Procedures = append(v.Procedures, proc)
	return nil
}

// procType reads the type of a procedure's argument or result: void, a type,
// or a string, which needs no name here.
func (p *Parser) procType() (*Type, error) {
	t := p.peek()
	at := p.at(t)
	switch t.text {
	case "void":
		p.next()
		return p.basic("void", at), nil
	case "string", "opaque":
		p.next()
		s := p.newType(String, at)
		if t.text == "opaque" {
			s.Form = Opaque
		}
		if p.peek().text == "<" {
			return s, p.limit(s)
		}
		return s, nil
	}
	name, err := p.typeName()
	if err == nil && p.accept("*") {
		return p.typeOf(Optional, name, at), nil
	}
	return name, err
}

// doc takes prose about a program, version or procedure. Notes stand at types.
func (p *Parser) doc(first int32, of string) (string, error) {
	notes, doc, err := p.about(first)
	if err == nil && len(notes) > 0 {
		err = fault(notes[0].Place, "@"+notes[0].Name+" does not apply to a "+of+": notes belong to types")
	}
	return doc, err
}

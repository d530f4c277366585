package types

import "strconv"

// program reads program NAME { version ... } = NUMBER; (RFC 5531, section 12).
func (p *parser) program() error {
	first := p.next().line
	name, err := p.name("the program")
	if err != nil {
		return err
	}
	prog := &Program{Name: name.text, Place: p.place(name)}
	if err := p.expect("{", "behind the program's name"); err != nil {
		return err
	}
	p.trailing()
	if prog.Doc, err = p.doc(first, "program"); err != nil {
		return err
	}
	for p.peek().text != "}" {
		if err := p.version(prog); err != nil {
			return err
		}
	}
	number, err := p.number("program")
	if err != nil {
		return err
	}
	return p.out.declareProgram(prog, number)
}

func (p *parser) version(prog *Program) error {
	first := p.peek().line
	if err := p.expect("version", "in the program"); err != nil {
		return err
	}
	name, err := p.name("the version")
	if err != nil {
		return err
	}
	v := &Version{Name: name.text, Place: p.place(name)}
	if err := p.expect("{", "behind the version's name"); err != nil {
		return err
	}
	p.trailing()
	if v.Doc, err = p.doc(first, "version"); err != nil {
		return err
	}
	for p.peek().text != "}" {
		if err := p.procedure(prog, v); err != nil {
			return err
		}
	}
	number, err := p.number("version")
	if err != nil {
		return err
	}
	return p.out.declareVersion(prog, v, number)
}

// number reads } = NUMBER;
func (p *parser) number(of string) (value, error) {
	if err := p.expect("}", "behind the "+of+"'s body"); err != nil {
		return value{}, err
	}
	if err := p.expect("=", "and the "+of+"'s number"); err != nil {
		return value{}, err
	}
	v, err := p.value()
	if err != nil {
		return value{}, err
	}
	if err := p.expect(";", "behind the "+of+"'s number"); err != nil {
		return value{}, err
	}
	p.trailing()
	_, err = p.doc(v.at.line, of)
	return v, err
}

func (p *parser) procedure(prog *Program, v *Version) error {
	first := p.peek().line
	proc := &Procedure{Program: prog, Version: v}
	var err error
	if proc.Result, err = p.procType(); err != nil {
		return err
	}
	name, err := p.name("the procedure")
	if err != nil {
		return err
	}
	proc.Name, proc.Place = name.text, p.place(name)
	if err := p.expect("(", "behind the procedure's name"); err != nil {
		return err
	}
	at, start := p.here(), len(p.fields)
	for {
		place := p.place(p.peek())
		t, err := p.procType()
		if err != nil {
			return err
		}
		arg := Field{Type: t, Place: place}
		// The newer syntax of rpcgen allows a name.
		if n := p.peek(); isName(n.text) && !isKeyword(n.text) {
			arg.Name, arg.Place = p.next().text, p.place(n)
		}
		p.fields = append(p.fields, arg)
		if !p.accept(",") {
			break
		}
	}
	if err := p.expect(")", "behind the arguments"); err != nil {
		return err
	}
	if err := p.expect("=", "and the procedure's number"); err != nil {
		return err
	}
	number, err := p.value()
	if err != nil {
		return err
	}
	if err := p.expect(";", "behind the procedure's number"); err != nil {
		return err
	}
	p.trailing()
	if proc.Doc, err = p.doc(first, "procedure"); err != nil {
		return err
	}
	args := p.fields[start:]
	if proc.Args = args[0].Type; len(args) > 1 {
		for i := range args {
			if args[i].Name == "" {
				args[i].Name = "arg" + strconv.Itoa(i+1)
			}
		}
		proc.Args = p.out.newType(Struct, at)
		proc.Args.key, proc.Args.Fields = p.key, carve(&p.out.fieldSlab, args)
	}
	p.fields = p.fields[:start]
	return p.out.declareProcedure(proc, number)
}

// procType reads the type of a procedure's argument or result: void, a type,
// or a string, which needs no name here.
func (p *parser) procType() (*Type, error) {
	t := p.peek()
	switch t.text {
	case "void":
		p.next()
		return p.out.basic(Void), nil
	case "string", "opaque":
		p.next()
		s := p.out.newType(String, p.spot(t))
		s.Limit = Unlimited
		if t.text == "opaque" {
			s.Kind = Opaque
		}
		if p.peek().text == "<" {
			return s, p.limit(s)
		}
		return s, nil
	}
	name, err := p.typeName()
	if err == nil && p.accept("*") {
		optional := p.out.newType(Optional, p.spot(t))
		optional.Elem = name
		return optional, nil
	}
	return name, err
}

// doc takes prose about a program, version or procedure. Notes stand at types.
func (p *parser) doc(first int32, of string) (string, error) {
	notes, doc, err := p.about(first)
	if err == nil && len(notes) > 0 {
		err = fault(notes[0].at, "@"+notes[0].name+" stands at a "+of+", but notes belong to types")
	}
	return doc, err
}

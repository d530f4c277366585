package syntax

func (p *Parser) constant() (*Const, error) {
	first := p.next().line
	name, err := p.name("a constant")
	if err != nil {
		return nil, err
	}
	if err := p.expect("=", "after the constant's name"); err != nil {
		return nil, err
	}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	notes, _, err := p.done(first, "the constant")
	if err == nil && len(notes) > 0 {
		err = fault(notes[0].Place, "@"+notes[0].Name+" says nothing about a constant")
	}
	return &Const{name.text, v, p.at(name)}, err
}

func (p *Parser) value() (Value, error) {
	t := p.peek()
	if t.text == "" || !isName(t.text) && t.text[0] != '-' && !isDigit(t.text[0]) || isKeyword(t.text) {
		return Value{}, fault(p.at(t), "expected a number or the name of a constant, not "+t.shown())
	}
	p.next()
	return Value{t.text, p.at(t)}, nil
}

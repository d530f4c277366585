package types

func (p *parser) constant() error {
	first := p.next().line
	name, err := p.name("a constant")
	if err != nil {
		return err
	}
	if err := p.expect("=", "behind the constant's name"); err != nil {
		return err
	}
	v, err := p.value()
	if err != nil {
		return err
	}
	notes, _, err := p.done(first, "the constant")
	if err != nil {
		return err
	}
	if len(notes) > 0 {
		return fault(notes[0].at, "@"+notes[0].name+" says nothing about a constant")
	}
	return p.out.declareConst(name.text, v, p.spot(name))
}

// A value is a number, or the name of a constant.
type value struct {
	text string
	at   spot
}

func (p *parser) value() (value, error) {
	t := p.peek()
	if t.text == "" || !isName(t.text) && t.text[0] != '-' && !isDigit(t.text[0]) || isKeyword(t.text) {
		return value{}, fault(p.spot(t), "expected a number or the name of a constant, not "+t.shown())
	}
	p.next()
	return value{t.text, p.spot(t)}, nil
}

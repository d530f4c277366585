package types

// A label is what stands behind case, and the field that it selects.
type label struct {
	value value
	field int
}

func (p *parser) union(t *Type) error {
	t.Kind = Union
	if err := p.expect("switch", "behind the union's name"); err != nil {
		return err
	}
	if err := p.expect("(", "behind switch"); err != nil {
		return err
	}
	at := p.here()
	d, err := p.declaration()
	if err != nil {
		return err
	}
	if d.name == "" {
		return fault(at, "a union's discriminant cannot be void")
	}
	g, labels := group{t: t, start: len(p.fields)}, len(p.labels)
	p.fields = append(p.fields, Field{Name: d.name, Type: d.t, Place: d.at.where()})
	if err := p.expect(")", "behind the discriminant"); err != nil {
		return err
	}
	if err := p.open(t); err != nil {
		return err
	}
	for p.peek().text != "}" {
		if err := p.arm(&g); err != nil {
			return err
		}
	}
	if len(p.fields) == g.start+1 {
		return fault(p.here(), "a union has at least one case")
	}
	p.keep(&g)
	p.out.unions = append(p.out.unions, cases{t, carve(&p.out.labelSlab, p.labels[labels:])})
	p.labels = p.labels[:labels]
	return p.shut(t)
}

// arm reads the labels and the declaration of one arm.
func (p *parser) arm(g *group) error {
	first := p.peek().line
	for labels := 0; ; labels++ {
		field := len(p.fields) - g.start
		switch word := p.peek(); {
		case word.text == "case":
			p.next()
			v, err := p.value()
			if err != nil {
				return err
			}
			p.labels = append(p.labels, label{v, field})
		case word.text == "default":
			p.next()
			if g.t.Default != 0 {
				return fault(p.spot(word), "a union has one default")
			}
			g.t.Default = field
		case labels == 0:
			return fault(p.spot(word), "expected case or default, not "+word.shown())
		default:
			return p.member(g, first)
		}
		if err := p.expect(":", "behind the label"); err != nil {
			return err
		}
	}
}

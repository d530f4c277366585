package syntax

import "github.com/rdmacap/rdmacap/dissect/xdr/slab"

func (p *Parser) union(t *Type) error {
	if err := p.expect("switch", "after the union's name"); err != nil {
		return err
	}
	if err := p.expect("(", "after switch"); err != nil {
		return err
	}
	at := p.here()
	d, err := p.declaration()
	if err != nil {
		return err
	}
	if d.Name == "" {
		return fault(at, "a union's discriminant cannot be void")
	}
	g, labels := group{t: t, start: len(p.fields)}, len(p.labels)
	p.fields = append(p.fields, d)
	if err := p.expect(")", "after the discriminant"); err != nil {
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
	t.Labels = slab.Copy(&p.labelSlab, p.labels[labels:])
	p.labels = p.labels[:labels]
	return p.closed(t)
}

// arm reads the labels and the declaration of one arm.
func (p *Parser) arm(g *group) error {
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
			p.labels = append(p.labels, Label{v, field})
		case word.text == "default":
			p.next()
			if g.t.Default != 0 {
				return fault(p.at(word), "a union has one default")
			}
			g.t.Default = field
		case labels == 0:
			return fault(p.at(word), "expected case or default, not "+word.shown())
		default:
			return p.member(g, first)
		}
		if err := p.expect(":", "after the label"); err != nil {
			return err
		}
	}
}

package types

// typedef reads typedef DECLARATION; which declares a name for a type.
func (p *parser) typedef() error {
	first := p.next().line
	before := p.out.count()
	f, err := p.declaration()
	if err != nil {
		return err
	}
	if f.name == "" {
		return fault(f.at, "typedef gives no name to void")
	}
	notes, doc, err := p.done(first, "the typedef")
	if err != nil {
		return err
	}
	t := f.t
	switch {
	case t.Name == f.name:
		return nil // typedef struct NAME NAME, the C way: it says nothing here
	case t.Name != "":
		// Another name for a type that has one.
		alias := p.out.newType(Void, f.at)
		alias.base = t
		t = alias
	case t == p.out.basic(t.Kind):
		t = p.out.newType(t.Kind, f.at)
	}
	t.Name, t.Doc, t.Place, t.key = f.name, doc, f.at.where(), p.key
	p.out.noteAbout(t, notes)
	return p.out.declareTypedef(t, before)
}

// declared reads enum NAME {...}; and the like.
func (p *parser) declared() error {
	first := p.peek().line
	t, err := p.composite(true)
	if err != nil {
		return err
	}
	notes, doc, err := p.done(first, "the type")
	if err != nil {
		return err
	}
	p.out.noteAbout(t, notes)
	if t.Doc == "" {
		t.Doc = doc
	}
	return nil
}

// A declared thing is what a declaration is about.
type declared struct {
	name string
	at   spot
	t    *Type
}

// declaration reads a type, a name and what makes an array of it. It leaves
// the name "" for void.
func (p *parser) declaration() (f declared, err error) {
	t := p.peek()
	f.at = p.spot(t)
	switch t.text {
	case "void":
		p.next()
		f.t = p.out.basic(Void)
		return f, nil
	case "opaque", "string":
		p.next()
		name, err := p.name("a field")
		if err != nil {
			return f, err
		}
		f.name, f.at = name.text, p.spot(name)
		f.t = p.out.newType(Opaque, p.spot(t))
		if t.text == "string" {
			f.t.Kind = String
		}
		switch open := p.peek(); {
		case open.text == "<":
			return f, p.limit(f.t)
		case open.text == "[" && t.text == "opaque":
			f.t.Kind = FixedOpaque
			return f, p.limit(f.t)
		case t.text == "string":
			return f, fault(p.spot(open), "expected <> behind a string's name, not "+open.shown())
		default:
			return f, fault(p.spot(open), "expected <> or [length] behind the name of opaque data, not "+open.shown())
		}
	}
	elem, err := p.typeName()
	if err != nil {
		return f, err
	}
	f.t = elem
	star := p.accept("*")
	name, err := p.name("a field")
	if err != nil {
		return f, err
	}
	f.name, f.at = name.text, p.spot(name)
	switch open := p.peek(); {
	case star:
		f.t = p.out.newType(Optional, f.at)
		f.t.Elem = elem
		if open.text == "<" || open.text == "[" {
			return f, fault(p.spot(open), "XDR has no arrays of optional data without a typedef")
		}
	case open.text == "<":
		f.t = p.out.newType(Array, f.at)
		f.t.Elem = elem
		return f, p.limit(f.t)
	case open.text == "[":
		f.t = p.out.newType(FixedArray, f.at)
		f.t.Elem = elem
		return f, p.limit(f.t)
	}
	return f, nil
}

// limit reads <>, <n> or [n].
func (p *parser) limit(t *Type) error {
	open, shut := p.next().text, "]"
	if open == "<" {
		shut = ">"
		if p.accept(">") {
			t.Limit = Unlimited
			return nil
		}
	}
	v, err := p.value()
	if err != nil {
		return err
	}
	p.out.limits = append(p.out.limits, limit{t, v})
	return p.expect(shut, "behind the length")
}

// basic is the kind that a word for a basic type means, or one that published
// texts use for them. rpcgen carries char and short in a word of 4 octets, and
// long too.
func basic(word string) (k Kind, ok bool) {
	switch word {
	case "int", "long", "short", "char":
		return Int, true
	case "hyper":
		return Hyper, true
	case "float":
		return Float, true
	case "double":
		return Double, true
	case "quadruple":
		return Quadruple, true
	case "bool":
		return Bool, true
	}
	return Void, false
}

// typeName reads a type specifier: a basic type, a name, or a type declared
// in place.
func (p *parser) typeName() (*Type, error) {
	t := p.peek()
	switch t.text {
	case "enum", "struct", "union":
		// struct NAME, without a body, is the C way to name a type.
		name := &p.tokens[min(p.pos+1, len(p.tokens)-1)]
		if after := p.tokens[min(p.pos+2, len(p.tokens)-1)].text; isName(name.text) && !isKeyword(name.text) && after != "{" && after != "switch" {
			p.next()
			p.next()
			return p.out.reference(name.text, p.spot(name)), nil
		}
		return p.composite(false)
	case "unsigned":
		p.next()
		switch p.peek().text {
		case "hyper":
			p.next()
			return p.out.basic(UnsignedHyper), nil
		case "int", "long", "short", "char":
			p.next()
		}
		return p.out.basic(UnsignedInt), nil
	}
	if k, ok := basic(t.text); ok {
		p.next()
		if t.text == "long" || t.text == "short" {
			p.accept("int")
		}
		return p.out.basic(k), nil
	}
	if !isName(t.text) || isKeyword(t.text) {
		return nil, fault(p.spot(t), "expected a type, not "+t.shown())
	}
	p.next()
	return p.out.reference(t.text, p.spot(t)), nil
}

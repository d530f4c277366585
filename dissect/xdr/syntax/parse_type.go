package syntax

import "github.com/rdmacap/rdmacap/dissect/xdr/slab"

// typedef reads typedef DECLARATION; which declares a name for a type.
func (p *Parser) typedef() (*Field, error) {
	first := p.next().line
	f, err := p.declaration()
	if err != nil {
		return nil, err
	}
	if f.Name == "" {
		return nil, fault(f.Place, "typedef gives no name to void")
	}
	err = p.finish(&f, first, "the typedef")
	return &f, err
}

// finish ends a declaration that began in that line and keeps what is reported about it.
func (p *Parser) finish(f *Field, first int32, what string) error {
	notes, doc, err := p.done(first, what)
	f.Notes, f.Doc = slab.Copy(&p.noteSlab, notes), doc
	return err
}

// typeDeclaration reads enum NAME {...}; and the like.
func (p *Parser) typeDeclaration() (*Type, error) {
	first := p.peek().line
	t, err := p.composite(true)
	if err != nil {
		return nil, err
	}
	notes, doc, err := p.done(first, "the type")
	p.noteAbout(t, notes)
	if t.Doc == "" {
		t.Doc = doc
	}
	return t, err
}

func (p *Parser) newType(f Form, at Place) *Type {
	t := slab.New(&p.typeSlab)
	t.Form, t.Place = f, at
	return t
}

// basic is the type of a word of the language.
func (p *Parser) basic(word string, at Place) *Type {
	t := p.newType(Basic, at)
	t.Word = word
	return t
}

// typeOf is a type of another one.
func (p *Parser) typeOf(f Form, elem *Type, at Place) *Type {
	t := p.newType(f, at)
	t.Elem = elem
	return t
}

// declaration reads a type, a name and what makes an array of it. It leaves
// the name "" for void.
func (p *Parser) declaration() (f Field, err error) {
	t := p.peek()
	f.Place = p.at(t)
	switch t.text {
	case "void":
		p.next()
		f.Type = p.basic("void", f.Place)
		return f, nil
	case "opaque", "string":
		return p.bytes(t)
	}
	elem, err := p.typeName()
	if err != nil {
		return f, err
	}
	f.Type = elem
	star := p.accept("*")
	name, err := p.name("a field")
	if err != nil {
		return f, err
	}
	f.Name, f.Place = name.text, p.at(name)
	switch open := p.peek(); {
	case star:
		f.Type = p.typeOf(Optional, elem, f.Place)
		if open.text == "<" || open.text == "[" {
			return f, fault(p.at(open), "XDR has no arrays of optional data without a typedef")
		}
	case open.text == "<" || open.text == "[":
		f.Type = p.typeOf(Array, elem, f.Place)
		return f, p.limit(f.Type)
	}
	return f, nil
}

// bytes reads the declaration of opaque data or a string.
func (p *Parser) bytes(t *token) (f Field, err error) {
	p.next()
	f.Type = p.newType(Opaque, p.at(t))
	if t.text == "string" {
		f.Type.Form = String
	}
	name, err := p.name("a field")
	if err != nil {
		return f, err
	}
	f.Name, f.Place = name.text, p.at(name)
	switch open := p.peek(); {
	case open.text == "<" || open.text == "[" && t.text == "opaque":
		return f, p.limit(f.Type)
	case t.text == "string":
		return f, fault(p.at(open), "expected <> after the name of a string, not "+open.shown())
	default:
		return f, fault(p.at(open), "expected <> or [length] after the name of opaque data, not "+open.shown())
	}
}

// limit reads <>, <n> or [n].
func (p *Parser) limit(t *Type) (err error) {
	shut := "]"
	if t.Fixed = p.next().text == "["; !t.Fixed {
		shut = ">"
		if p.accept(">") {
			return nil
		}
	}
	if t.Limit, err = p.value(); err != nil {
		return err
	}
	return p.expect(shut, "after the length")
}

// typeName reads a type specifier: a basic type, a name, or a type declared in place.
func (p *Parser) typeName() (*Type, error) {
	t := p.peek()
	at := p.at(t)
	switch t.text {
	case "enum", "struct", "union":
		// struct NAME, without a body, is the C way to name a type.
		name := &p.tokens[min(p.pos+1, len(p.tokens)-1)]
		if after := p.tokens[min(p.pos+2, len(p.tokens)-1)].text; isName(name.text) && !isKeyword(name.text) && after != "{" && after != "switch" {
			p.next()
			p.next()
			return p.reference(name), nil
		}
		return p.composite(false)
	case "unsigned":
		p.next()
		switch p.peek().text {
		case "hyper":
			p.next()
			return p.basic("unsigned hyper", at), nil
		case "int", "long", "short", "char":
			p.next()
		}
		return p.basic("unsigned int", at), nil
	case "int", "long", "short", "char":
		// Published texts use these words. rpcgen carries char and short in a word of
		// 4 bytes, and long too.
		p.next()
		if t.text == "long" || t.text == "short" {
			p.accept("int")
		}
		return p.basic("int", at), nil
	case "hyper", "float", "double", "quadruple", "bool":
		p.next()
		return p.basic(t.text, at), nil
	}
	if !isName(t.text) || isKeyword(t.text) {
		return nil, fault(at, "expected a type, not "+t.shown())
	}
	p.next()
	return p.reference(t), nil
}

func (p *Parser) reference(name *token) *Type {
	t := p.newType(Reference, p.at(name))
	t.Word = name.text
	return t
}

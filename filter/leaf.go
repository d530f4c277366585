package filter

import "strings"

// test reads a field and what is asked of it.
func (p *parser) test() (n node, err *Error) {
	quantifier := p.token
	quantified := quantifier.is("any", "all")
	if quantified {
		if err := p.next(); err != nil {
			return n, err
		}
	}
	f, t, err := p.field()
	if err != nil {
		return n, err
	}
	asked := p.token
	r, ok := asked.relation()
	switch {
	case ok:
	case asked.is("not"):
		return p.notIn(f, t, quantifier, quantified)
	case quantified:
		return n, asked.failed("a comparison is missing", "for example "+quantifier.text+" "+f.Name+" == "+f.example())
	case asked.kind == tokenMark && asked.text == "(":
		return n, asked.failed("there are no functions", "")
	default:
		r = relation{of: present}
		if f.Kind == Bool {
			r.of = some
			t.numbers = []span[uint64]{{1, 1}}
		}
		return t.node(r, false), nil
	}
	if quantified {
		r = r.with(quantifier.is("all"))
	}
	if err := p.next(); err != nil {
		return n, err
	}
	return t.node(r, false), p.operand(f, t, r.op, asked)
}

// notIn reads the rest of FIELD not in {...}, which is not (FIELD in {...}): it
// is true also of records without the field, as in Wireshark.
func (p *parser) notIn(f *Field, t *test, quantifier token, quantified bool) (n node, err *Error) {
	not := p.token
	if err := p.next(); err != nil {
		return n, err
	}
	in := p.token
	if _, ok := in.relation(); ok && !in.is("in") || quantified {
		what := f.Name
		if quantified {
			what = quantifier.text + " " + what
		}
		return n, not.failed("not comes before the whole test", "write not "+what+" "+in.text+" ...")
	}
	if !in.is("in") {
		return n, not.failed("\"and\" or \"or\" is missing before "+not.shown(), "")
	}
	if err := p.next(); err != nil {
		return n, err
	}
	return t.node(relation{among, some}, true), p.operand(f, t, among, in)
}

// node is the test as a part of the expression.
func (t *test) node(r relation, inverted bool) node {
	t.accept, t.final = verdicts[r.of].accept, verdicts[r.of].final
	n := node{join: leaf, test: t}
	if inverted {
		return node{join: joinNot, parts: []node{n}}
	}
	return n
}

// field reads the name of a field and begins its test.
func (p *parser) field() (*Field, *test, *Error) {
	t := p.token
	f, i, ok := p.set.named(t.text)
	if t.kind != tokenWord || !ok {
		return nil, nil, p.notField()
	}
	p.fields = append(p.fields, i)
	return f, &test{field: i, takes: f.Kind.class()}, p.next()
}

// notField is the error of a token where a field has to be.
func (p *parser) notField() *Error {
	t := p.token
	switch {
	case t.kind == tokenEnd:
		return t.failed("a test is missing at the end", "")
	case t.kind == tokenText:
		return t.failed("a test begins with a field, not with text", "")
	case t.kind != tokenWord || isKeyword(strings.ToLower(t.text)):
		return t.failed("a test is missing before "+t.shown(), "")
	case t.text[0] >= '0' && t.text[0] <= '9' || t.text[0] == '-':
		return t.failed("a test begins with a field, not with a value", p.set.sample())
	case strings.HasPrefix(p.expr[t.end:], "("):
		return t.failed(t.shown()+" is not a field", "there are no functions")
	case strings.ContainsAny(t.text, "[]"):
		return t.failed(t.shown()+" is not a field", "there are no slices of bytes; try contains")
	}
	hint := ""
	if p.set.Elsewhere != nil && len(t.text) <= maxName {
		hint = p.set.Elsewhere(strings.ToLower(t.text))
	}
	if hint == "" {
		hint = p.set.suggestField(t.text)
	}
	return t.failed(t.shown()+" is not a field", hint)
}

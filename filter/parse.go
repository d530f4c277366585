package filter

import (
	"slices"
	"strconv"
)

// Limits of an expression: its bytes, and how deep its parentheses and nots
// are nested.
const (
	maxExpr  = 64 << 10
	maxDepth = 200
)

// Compile makes a filter of an expression. Every error is an *Error. The filter
// of an expression without any word passes everything.
func (s *Set) Compile(expr string) (*Filter, error) {
	if len(expr) > maxExpr {
		return nil, &Error{expr, maxExpr, 0, "the expression has more than " + strconv.Itoa(maxExpr) + " bytes", ""}
	}
	p := parser{set: s, expr: expr}
	f := &Filter{expr: expr}
	err := p.next()
	if err == nil && p.token.kind != tokenEnd {
		f.root, err = p.parse()
	}
	if err != nil {
		err.Expr = expr
		return nil, err
	}
	slices.Sort(p.fields)
	f.fields = slices.Compact(p.fields)
	return f, nil
}

type parser struct {
	set    *Set
	expr   string
	token  token // the next one
	depth  int
	fields []int // that were named
}

func (p *parser) next() (err *Error) {
	p.token, err = nextToken(p.expr, p.token.end)
	return err
}

// failed is an error at a token. Its Expr is set by Compile.
func (t token) failed(reason, hint string) *Error {
	return &Error{Offset: t.at, Length: t.end - t.at, Reason: reason, Hint: hint}
}

// shown is the token as an error names it: in quotes, not too long.
func (t token) shown() string {
	if t.kind == tokenEnd {
		return "the end"
	}
	return shorten(t.text)
}

func shorten(s string) string {
	if len(s) > 60 {
		s = s[:57] + "..."
	}
	return strconv.Quote(s)
}

func (p *parser) parse() (node, *Error) {
	n, err := p.or()
	if err == nil && p.token.kind != tokenEnd {
		err = p.unexpected()
	}
	return n, err
}

// unexpected is the error of a token after a whole test.
func (p *parser) unexpected() *Error {
	t := p.token
	_, operator := t.relation()
	switch {
	case t.is(")"):
		return t.failed("there is no ( for this )", "")
	case operator:
		return t.failed("nothing is left to compare here", "two comparisons are joined by and: a > 1 and a < 5")
	case t.is("xor", "^^"):
		return t.failed("there is no operator xor", "")
	}
	return t.failed("\"and\" or \"or\" is missing before "+t.shown(), "")
}

func (p *parser) or() (node, *Error) { return p.joined(joinOr, p.and, "or", "||") }

func (p *parser) and() (node, *Error) { return p.joined(joinAnd, p.not, "and", "&&") }

// joined reads one part, or several with one of the words between them.
func (p *parser) joined(as join, part func() (node, *Error), words ...string) (node, *Error) {
	first, err := part()
	if err != nil || !p.token.is(words...) {
		return first, err
	}
	n := node{join: as, parts: []node{first}}
	for p.token.is(words...) {
		if err := p.next(); err != nil {
			return n, err
		}
		another, err := part()
		if err != nil {
			return n, err
		}
		n.parts = append(n.parts, another)
	}
	return n, nil
}

// not reads a test, or an expression in parentheses, after any number of nots.
func (p *parser) not() (n node, err *Error) {
	opening := p.token
	not, group := opening.is("not", "!"), opening.is("(")
	if !not && !group {
		return p.test()
	}
	if p.depth++; p.depth > maxDepth {
		return n, opening.failed("nested deeper than "+strconv.Itoa(maxDepth), "")
	}
	defer func() { p.depth-- }()
	if err := p.next(); err != nil {
		return n, err
	}
	if not {
		inner, err := p.not()
		return node{join: joinNot, parts: []node{inner}}, err
	}
	if n, err = p.or(); err != nil {
		return n, err
	}
	if p.token.kind == tokenEnd {
		return n, opening.failed("this ( is not closed", "")
	}
	if !p.token.is(")") {
		return n, p.unexpected()
	}
	return n, p.next()
}

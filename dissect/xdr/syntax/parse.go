package syntax

import (
	"slices"
	"strconv"
	"strings"
)

// A Parser reads the declarations of one text after the other. Its slices are used
// again.
type Parser struct {
	scanner
	pos   int // of the next token
	depth int
	// taken is how many comments were passed over; seen are those of them
	// that nothing was found for to be about, and from base on those that
	// belong within the innermost type around.
	taken int32
	seen  []int32
	base  int
	// members, fields and labels are those of the types that are being read.
	members []Member
	fields  []Field
	labels  []Label
	notes   []Note
	args    []Argument
	prose   []byte
	slabs
}

// Slabs are where the parts of a declaration lie.
type slabs struct {
	typeSlab   []Type
	memberSlab []Member
	fieldSlab  []Field
	labelSlab  []Label
	noteSlab   []Note
	argSlab    []Argument
}

// reset makes room for the next declaration.
func (s *slabs) reset() {
	s.typeSlab, s.memberSlab, s.fieldSlab = s.typeSlab[:0], s.memberSlab[:0], s.fieldSlab[:0]
	s.labelSlab, s.noteSlab, s.argSlab = s.labelSlab[:0], s.noteSlab[:0], s.argSlab[:0]
}

// maxNesting bounds how deep types stand within each other in a text.
const maxNesting = 32

// Start begins with a text.
func (p *Parser) Start(s *Source) error {
	if err := p.start(s); err != nil {
		return err
	}
	p.pos, p.taken, p.seen = 0, 0, p.seen[:0]
	if p.fields == nil {
		const most = 160 // fields or values that a type has but seldom
		p.fields, p.members = make([]Field, 0, most), make([]Member, 0, most)
		p.tokens = make([]token, 0, min(len(s.Text)/8, 1024))
	}
	return nil
}

// Next is the next declaration of the text, the zero Decl after the last. It is valid
// until Next is called again. An error is an *Error, whose line Locate adds.
func (p *Parser) Next() (d Decl, err error) {
	p.reset()
	for len(p.defines) == 0 {
		if err := p.advance(); err != nil {
			return d, err
		}
		// What is defined before the token after the declaration comes before it.
		if len(p.defines) > 0 {
			break
		}
		if p.peek().text != ";" { // one too many is common
			return p.declared()
		}
		p.next()
	}
	c := p.defines[0]
	p.defines = slices.Delete(p.defines, 0, 1)
	return Decl{Const: &c}, nil
}

// advance reads the tokens of the next declaration.
func (p *Parser) advance() error {
	p.tokens = slices.Delete(p.tokens, 0, min(p.pos, len(p.tokens)))
	p.pos = 0
	return p.scanner.declaration()
}

func (p *Parser) peek() *token { return &p.tokens[p.pos] }

// at is where a token stands.
func (p *Parser) at(t *token) Place { return Place{p.source.File, int(t.line), int(t.column)} }

// here is where the next token stands.
func (p *Parser) here() Place { return p.at(p.peek()) }

// next takes a token and notes the comments before it.
func (p *Parser) next() *token {
	t := &p.tokens[p.pos]
	for p.taken < t.comments {
		p.see()
	}
	if p.pos+1 < len(p.tokens) {
		p.pos++
	}
	return t
}

// accept takes the next token if it is text.
func (p *Parser) accept(text string) bool {
	if p.peek().text != text {
		return false
	}
	p.next()
	return true
}

func (p *Parser) expect(text, where string) error {
	if t := p.peek(); t.text != text {
		return fault(p.at(t), "expected "+text+" "+where+", not "+t.shown())
	}
	p.next()
	return nil
}

func (t *token) shown() string {
	if t.text == "" {
		return "the end of the text"
	}
	return strconv.Quote(t.text)
}

func isName(s string) bool { return s != "" && isLetter(s[0]) }

// isKeyword reports whether a word cannot be a name (RFC 4506, section 6.4; RFC
// 5531, section 12.3, but "version" and "program" serve as names of fields in
// published texts).
func isKeyword(s string) bool {
	switch s {
	case "bool", "case", "const", "default", "double", "quadruple", "enum", "float", "hyper", "int", "opaque", "string",
		"struct", "switch", "typedef", "union", "unsigned", "void":
		return true
	}
	return false
}

func (p *Parser) name(of string) (*token, error) {
	t := p.peek()
	if !isName(t.text) || isKeyword(t.text) {
		return nil, fault(p.at(t), "expected the name of "+of+", not "+t.shown())
	}
	return p.next(), nil
}

// declared reads the declaration whose tokens are there.
func (p *Parser) declared() (d Decl, err error) {
	switch t := p.peek(); t.text {
	case "":
		return d, p.expectEnd()
	case "const":
		d.Const, err = p.constant()
	case "typedef":
		d.Typedef, err = p.typedef()
	case "enum", "struct", "union":
		d.Type, err = p.typeDeclaration()
	case "program":
		d.Program, err = p.program()
	default:
		words := []string{"const", "typedef", "enum", "struct", "union", "program"}
		err = fault(p.at(t), "expected a declaration ("+strings.Join(words, ", ")+"), not "+t.shown()+DidYouMean(t.text, words))
	}
	return d, err
}

// expectEnd reads the end of the text, before which notes may stand that are about nothing.
func (p *Parser) expectEnd() error {
	p.next()
	notes, _, err := p.about(p.peek().line)
	if err == nil && len(notes) > 0 {
		err = fault(notes[0].Place, "@"+notes[0].Name+" comes after the last declaration")
	}
	return err
}

// done ends a declaration of a what that began in that line and takes what is reported
// about it.
func (p *Parser) done(first int32, what string) ([]Note, string, error) {
	if !p.accept(";") {
		return nil, "", p.expect(";", "after "+what)
	}
	p.trailing()
	return p.about(first)
}

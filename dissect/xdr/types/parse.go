package types

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Parse reads one text.
func Parse(file, text string) (*Spec, error) { return ParseAll(Source{File: file, Text: text}) }

// ParseAll reads texts that share one name space: each may use what another
// declares. An error is an *Error, the first one of the first text that has one.
func ParseAll(sources ...Source) (*Spec, error) {
	octets := 0
	for i := range sources {
		octets += len(sources[i].Text)
	}
	const most = 160 // fields or values that a type has but seldom
	p := parser{out: newResolver(octets), fields: make([]Field, 0, most), members: make([]Member, 0, most)}
	p.tokens = make([]token, 0, min(octets/8, 1024))
	for i := range sources {
		if err := p.read(&sources[i]); err != nil {
			return nil, locate(sources, err)
		}
	}
	spec, err := p.out.resolve()
	if err != nil {
		return nil, locate(sources, err)
	}
	return spec, nil
}

// key is the prefix of the keys of a text's fields.
func (s *Source) key() string {
	if s.Key != "" {
		return strings.ToLower(s.Key)
	}
	base := filepath.Base(s.File)
	return strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))
}

// locate adds the line of the text to an error.
func locate(sources []Source, err error) error {
	e, ok := err.(*Error)
	if !ok || e.Text != "" {
		return err
	}
	for i := range sources {
		if sources[i].File == e.File {
			e.Text = line(sources[i].Text, e.Line)
			break
		}
	}
	return e
}

// A parser reads the declarations of one text after the other. What it keeps of
// them lies in the resolver; its own slices are used again.
type parser struct {
	lexer
	out   *resolver
	key   string
	pos   int // of the next token
	depth int
	// taken is how many comments were passed over; seen are those of them
	// that nothing was found for to be about, and from base on those that
	// belong within the innermost type around.
	taken int32
	seen  []int32
	base  int
	// fields and members are those of the types that are being read.
	fields  []Field
	members []Member
	labels  []label
	notes   []note
	prose   []byte
}

// maxNesting bounds how deep types stand within each other in a text.
const maxNesting = 32

// read reads a text.
func (p *parser) read(s *Source) error {
	if err := p.start(s); err != nil {
		return err
	}
	p.key, p.taken, p.seen = s.key(), 0, p.seen[:0]
	return p.text()
}

// advance reads the tokens of the next declaration.
func (p *parser) advance() error {
	p.tokens = slices.Delete(p.tokens, 0, min(p.pos, len(p.tokens)))
	p.pos = 0
	if err := p.lexer.declaration(); err != nil {
		return err
	}
	for _, d := range p.defines {
		if err := p.out.declareConst(d.name, d.number, d.at); err != nil {
			return err
		}
	}
	p.defines = p.defines[:0]
	return nil
}

func (p *parser) peek() *token { return &p.tokens[p.pos] }

// spot is where a token stands.
func (p *parser) spot(t *token) spot { return spot{p.source, t.line, t.column} }

// here is where the next token stands.
func (p *parser) here() spot { return p.spot(p.peek()) }

func (p *parser) place(t *token) Place { return p.spot(t).where() }

// next takes a token and notes the comments before it.
func (p *parser) next() *token {
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
func (p *parser) accept(text string) bool {
	if p.peek().text != text {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(text, where string) error {
	if t := p.peek(); t.text != text {
		return fault(p.spot(t), "expected "+text+" "+where+", not "+t.shown())
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

func (p *parser) name(of string) (*token, error) {
	t := p.peek()
	if !isName(t.text) || isKeyword(t.text) {
		return nil, fault(p.spot(t), "expected the name of "+of+", not "+t.shown())
	}
	return p.next(), nil
}

// text reads all declarations of a text.
func (p *parser) text() error {
	p.pos = 0
	for {
		if err := p.advance(); err != nil {
			return err
		}
		t := p.peek()
		if t.text == "" {
			break
		}
		var err error
		switch t.text {
		case "const":
			err = p.constant()
		case "typedef":
			err = p.typedef()
		case "enum", "struct", "union":
			err = p.declared()
		case "program":
			err = p.program()
		case ";": // one too many is common
			p.next()
		default:
			reason := "expected a declaration (const, typedef, enum, struct, union, program), not " + t.shown()
			if near := nearest(t.text, []string{"const", "typedef", "enum", "struct", "union", "program"}); near != "" {
				reason += ": did you mean " + near + "?"
			}
			err = fault(p.spot(t), reason)
		}
		if err != nil {
			return err
		}
	}
	p.next()
	notes, _, err := p.about(p.peek().line)
	if err == nil && len(notes) > 0 {
		err = fault(notes[0].at, "@"+notes[0].name+" stands behind the last declaration")
	}
	return err
}

// done ends a declaration that began in that line and takes what is said about
// it.
func (p *parser) done(first int32, what string) ([]note, string, error) {
	if err := p.expect(";", "behind "+what); err != nil {
		return nil, "", err
	}
	p.trailing()
	return p.about(first)
}

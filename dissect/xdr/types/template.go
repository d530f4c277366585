package types

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/slab"
	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// A Template makes one line of a value (see the package's comment).
type Template struct {
	// Text is the template as the note has it.
	Text string

	// Parts are what it consists of, with the templates of the types of its
	// places in their stead.
	Parts []Part
}

// PartKind is what a part of a template does.
type PartKind uint8

const (
	Literal   PartKind = iota // text
	ValueOf                   // the value of a mark
	IfSet                     // a condition: the value is not 0
	IfNotSet                  // a condition: the value is 0
	OpenPart                  // [
	ClosePart                 // ]
)

// A Part is a part of a template.
type Part struct {
	// Text is that of a Literal.
	Text string
	// As says how the value is written.
	As As
	// Type is that of the value.
	Type *Type
	// Mark is the index in Spec.Marks of the value.
	Mark int32
	Kind PartKind
	// Operations says that the value may be the operations of arguments or a result.
	Operations bool
}

// maxExpansion bounds the parts of a template with those of the templates in
// it: each of them may stand in the next one twice.
const maxExpansion = 256

// summaries reads the templates of all types, in which the marks are counted
// through the whole Spec.
func (r *resolver) summaries(s *Spec) error {
	for _, t := range r.all {
		n := t.summaryNote()
		if n == nil {
			continue
		}
		for i := range t.notes {
			if other := &t.notes[i]; other.Name == "summary" && other.Place != n.Place {
				return fault(other.Place, t.String()+" has a @summary already")
			}
		}
		t.Summary = &Template{Text: textOf(n)}
	}
	for _, t := range r.aliases {
		if t.Summary == nil {
			t.Summary = t.base.Summary
		}
	}
	x := expansion{r: r, spec: s}
	for _, t := range r.all {
		if n := t.summaryNote(); n != nil {
			x.beginType(t, n)
			if err := x.read(); err != nil {
				return err
			}
			t.Summary.Parts = slab.Copy(&r.partSlab, x.parts)
		}
	}
	return nil
}

// summaryNote is the @summary of a type, not that of the type of which it is
// another name; nil if it has none.
func (t *Type) summaryNote() *syntax.Note {
	for i := range t.notes {
		if t.notes[i].Name == "summary" {
			return &t.notes[i]
		}
	}
	return nil
}

// textOf is a template's text.
func textOf(n *syntax.Note) string {
	if len(n.Args) == 1 {
		return n.Args[0].Text
	}
	var b strings.Builder
	for i := range n.Args {
		b.WriteString(n.Args[i].Text)
	}
	return b.String()
}

// An expansion reads one template, and those that stand in its places.
type expansion struct {
	r     *resolver
	spec  *Spec
	root  *Type
	parts []Part
	// marks are those of the root, from there on in Spec.marks.
	marks int
	// left is how many more templates may stand in places.
	left int
	template
	// stack are the types around whose templates lead here.
	stack []*Type
}

// A template is the one that is read now: that of the root, or one in its place.
type template struct {
	note *syntax.Note
	text string
	from *Mark // of the value whose template it is, nil for the root
	of   *Type // its type
}

func (x *expansion) beginType(t *Type, n *syntax.Note) {
	x.root, x.parts, x.marks, x.left = t, x.parts[:0], len(x.spec.marks), maxExpansion
	x.template = template{note: n, text: t.Summary.Text, of: t}
	x.stack = x.stack[:0]
}

// at is the place of a byte of the template. An error in a template that
// stands in another one's place is told where it is declared.
func (x *expansion) at(size int) syntax.Place {
	for i, a := range x.note.Args {
		if size <= len(a.Text) || i == len(x.note.Args)-1 {
			a.Place.Column += size
			return a.Place
		}
		size -= len(a.Text)
	}
	return x.note.Place
}

// addPart adds a part, unless there are too many.
func (x *expansion) addPart(p Part, at int) error {
	n := len(x.parts)
	if p.Kind == Literal && n > 0 && x.parts[n-1].Kind == Literal {
		x.parts[n-1].Text += p.Text
		return nil
	}
	if n >= maxExpansion {
		return fault(x.at(at), "the summary is too long")
	}
	x.parts = append(x.parts, p)
	return nil
}

// read reads the template.
func (x *expansion) read() (err error) {
	text, open := x.text, -1
	for i := 0; i < len(text) && err == nil; {
		next := i + 1
		switch c := text[i]; {
		case c == '\\' && next < len(text):
			next++
			err = x.addPart(Part{Kind: Literal, Text: text[i+1 : next]}, i)
		case c == '[':
			if open >= 0 {
				return fault(x.at(i), "a part in [ ] cannot contain another one")
			}
			open = i
			err = x.addPart(Part{Kind: OpenPart}, i)
		case c == ']':
			if open < 0 {
				return fault(x.at(i), "] without [")
			}
			open = -1
			err = x.addPart(Part{Kind: ClosePart}, i)
		case c == '}':
			return fault(x.at(i), "} without {")
		case c == '{':
			length := strings.IndexByte(text[i:], '}')
			if length < 0 {
				return fault(x.at(i), "{ without }")
			}
			err = x.placeholder(text[i+1:i+length], i+1, open >= 0)
			next = i + length + 1
		default:
			for next < len(text) && text[next] != '\\' && text[next] != '[' && text[next] != ']' && text[next] != '{' && text[next] != '}' {
				next++
			}
			err = x.addPart(Part{Kind: Literal, Text: text[i:next]}, i)
		}
		i = next
	}
	if err == nil && open >= 0 {
		return fault(x.at(open), "[ without ]")
	}
	return err
}

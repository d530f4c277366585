package types

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// placeholder reads what stands between { and }, at a byte of the template.
func (x *expansion) placeholder(text string, at int, within bool) error {
	p := Part{Kind: ValueOf}
	path, format, hasFormat := strings.Cut(text, ":")
	if rest, ok := strings.CutSuffix(path, "?"); ok {
		path, p.Kind = rest, IfSet
	} else if rest, ok := strings.CutSuffix(path, "!"); ok {
		path, p.Kind = rest, IfNotSet
	}
	m, number := x.known(path)
	if m == nil {
		var wrong int
		var reason string
		if m, wrong, reason = newMark(&x.r.slabs, x.root, x.from, path); reason != "" {
			return fault(x.at(at+wrong), reason)
		}
	}
	// Of optional data the summary is that of what is there.
	t := m.Type
	if t.Kind == Optional && !t.IsList() {
		t = t.Elem
	}
	switch {
	case p.Kind != ValueOf && !within:
		return fault(x.at(at), "a condition belongs in [ ]")
	case p.Kind == ValueOf && !hasFormat && t.Summary != nil && t != x.of && m.As().Format == Plain:
		return x.nested(t, m, at, within)
	case !m.Type.IsLeaf() || !t.IsLeaf() && p.Kind == ValueOf:
		return fault(x.at(at), t.String()+" is a "+t.Kind.String()+" without a @summary: name one of its fields")
	case t.Kind == Struct && !hasFormat && m.As().Format == Plain && p.Kind == ValueOf:
		return fault(x.at(at), t.String()+" is a struct without a @summary or @as: name one of its fields")
	}
	p.As = m.As()
	if hasFormat {
		as, err := x.format(m, format, at+len(text)-len(format))
		if err != nil {
			return err
		}
		p.As = as
	}
	if number < 0 {
		number = int32(len(x.spec.marks))
		x.spec.marks = append(x.spec.marks, m)
	}
	p.Mark, p.Type = number, m.Type
	p.Operations = len(m.Steps) == 1 && m.Type.IsOperations()
	return x.addPart(p, at)
}

// format reads what stands after the colon of a place.
func (x *expansion) format(m *Mark, text string, at int) (As, error) {
	n := syntax.Note{Name: "as"}
	for word := range strings.FieldsSeq(text) {
		n.Args = append(n.Args, syntax.Argument{Text: word, Place: x.at(at)})
	}
	if len(n.Args) == 0 {
		return As{}, fault(x.at(at), "there is no format after the colon")
	}
	if needs := n.Args[0].Text == "flags" || n.Args[0].Text == "bits"; needs != (len(n.Args) == 2) || len(n.Args) > 2 {
		return As{}, fault(x.at(at), "write the format as FORMAT, flags ENUM or bits ENUM")
	}
	return x.r.as(m.Type, n)
}

// nested puts the template of a field's type in the field's place.
func (x *expansion) nested(t *Type, m *Mark, at int, within bool) error {
	if slices.Contains(x.stack, t) || t == x.root {
		return fault(x.at(at), "the @summary of "+t.String()+" contains itself")
	}
	if x.left--; x.left < 0 {
		return fault(x.at(at), "the summary is too long")
	}
	declared := t
	for declared.summaryNote() == nil {
		declared = declared.base
	}
	if within && strings.Contains(t.Summary.Text, "[") {
		return fault(x.at(at), "the @summary of "+t.String()+" has parts in [ ], so it cannot be in one")
	}
	outer := x.template
	x.stack = append(x.stack, t)
	x.template = template{note: declared.summaryNote(), text: t.Summary.Text, from: m, of: t}
	err := x.read()
	x.template, x.stack = outer, x.stack[:len(x.stack)-1]
	return err
}

// known is the mark of a value that has one already, and its number; -1 if it
// has none.
func (x *expansion) known(path string) (*Mark, int32) {
	before := ""
	if x.from != nil {
		before = x.from.Path
	}
	for i, m := range x.spec.marks[x.marks:] {
		rest, ok := strings.CutPrefix(m.Path, before)
		if ok && before != "" && path != "." {
			rest, ok = strings.CutPrefix(rest, ".")
		}
		if ok && (rest == path || before != "" && path == "." && rest == "") {
			return m, int32(x.marks + i)
		}
	}
	return nil, -1
}

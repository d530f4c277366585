package syntax

import (
	"bytes"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/slab"
)

// noteForms are the notes and how each is written.
var noteForms = []struct{ name, form string }{
	{"as", "@as FORMAT, or @as flags ENUM"},
	{"attributes", "@attributes UNION"},
	{"bind", "@bind KIND, or @bind KIND by FIELD, FIELD"},
	{"contains", "@contains TYPE, or @contains UNION by FIELD"},
	{"eligible", "@eligible, or @eligible RFC 8267 section 6.2"},
	{"prefix", "@prefix TEXT"},
	{"rank", "@rank NUMBER"},
	{"retry", "@retry"},
	{"status", "@status NAME"},
	{"summary", `@summary "text {field} text"`},
	{"unsequenced", "@unsequenced"},
	{"varies", "@varies"},
}

// readNotes adds the notes of a comment to those of the declaration, and returns
// the prose that is left.
//
// A note begins with an @ before which a blank stands. Where a line of the
// comment begins with one, the name must be that of a note; elsewhere an @ may
// be prose ("expressed as @groupname"), unless it looks like a note misspelt.
func (p *Parser) readNotes(c *comment) (prose string, err error) {
	if strings.IndexByte(c.text, '@') < 0 {
		return tidy(c.text), nil
	}
	r := noteReader{text: c.text, Place: Place{p.source.File, int(c.line), int(c.column)}}
	b := p.prose[:0]
	fresh := true // nothing but blanks and stars yet on this line
	for r.at < len(r.text) {
		ch := r.text[r.at]
		if ch == '@' && (r.at == 0 || isBlank(r.text[r.at-1])) && r.at+1 < len(r.text) && 'a' <= r.text[r.at+1]|0x20 && r.text[r.at+1]|0x20 <= 'z' {
			saved := r
			r.next()
			name := r.word()
			if !isNote(name) {
				near := nearest(name, noteNames())
				if fresh || near != "" {
					if near != "" {
						near = ": did you mean @" + near + "?"
					}
					return "", fault(saved.Place, "@"+name+" is not a note"+near)
				}
				r = saved
				b = append(b, '@')
				r.next()
				continue
			}
			n := Note{Name: name, Place: saved.Place}
			if n.Args, err = p.arguments(&r, name); err != nil {
				return "", err
			}
			p.notes = append(p.notes, n)
			continue
		}
		switch {
		case ch == '\n':
			fresh = true
		case !isBlank(ch) && ch != '*':
			fresh = false
		}
		b = append(b, ch)
		r.next()
	}
	p.prose = b
	if len(bytes.TrimSpace(b)) == 0 {
		return "", nil
	}
	return tidy(string(b)), nil
}

func isNote(name string) bool {
	for _, f := range noteForms {
		if f.name == name {
			return true
		}
	}
	return false
}

func noteNames() (names []string) {
	for _, f := range noteForms {
		names = append(names, f.name)
	}
	return names
}

func noteForm(name string) string {
	for _, f := range noteForms {
		if f.name == name {
			return f.form
		}
	}
	return ""
}

// A noteReader reads a comment and knows where in the text it is.
type noteReader struct {
	text string
	at   int
	Place
}

func (r *noteReader) next() {
	r.Column++
	if r.text[r.at] == '\n' {
		r.Line++
		r.Column = 1
	}
	r.at++
}

// blanks passes over blanks of the line.
func (r *noteReader) blanks() {
	for r.at < len(r.text) && r.text[r.at] != '\n' && isBlank(r.text[r.at]) {
		r.next()
	}
}

// margin passes over blanks, line ends and the stars at the beginning of a line.
func (r *noteReader) margin() {
	for r.at < len(r.text) && (isBlank(r.text[r.at]) || r.text[r.at] == '*') {
		r.next()
	}
}

func (r *noteReader) word() string {
	s := r.text[r.at:]
	n := word(s)
	r.at += n
	r.Column += n
	return s[:n]
}

// arguments reads what a note takes.
func (p *Parser) arguments(in *noteReader, name string) ([]Argument, error) {
	p.args = p.args[:0]
	add := func() bool {
		in.blanks()
		at := in.Place
		w := in.word()
		if w != "" {
			p.args = append(p.args, Argument{w, at})
		}
		return w != ""
	}
	ok := true
	switch name {
	case "as":
		if ok = add(); ok {
			if format := p.args[0].Text; format == "flags" || format == "bits" {
				ok = add()
			}
		}
	case "attributes", "rank", "status", "prefix":
		ok = add()
	case "contains", "bind":
		ok = add()
		ahead := *in
		ahead.blanks()
		if ok && ahead.word() == "by" {
			*in = ahead
			ok = add()
			for ok && name == "bind" && in.at < len(in.text) && in.text[in.at] == ',' {
				in.next()
				ok = add()
			}
		}
	case "eligible":
		in.blanks()
		at, from := in.Place, in.at
		for in.at < len(in.text) && strings.IndexByte("\n@;", in.text[in.at]) < 0 {
			in.next()
		}
		if ref := strings.TrimSpace(in.text[from:in.at]); ref != "" {
			p.args = append(p.args, Argument{ref, at})
		}
	case "summary":
		if err := p.quoted(in); err != nil {
			return nil, err
		}
		if ok = len(p.args) > 0; !ok {
			in.margin()
		}
	}
	if !ok {
		return nil, fault(in.Place, "the note is written "+noteForm(name))
	}
	return slab.Copy(&p.argSlab, p.args), nil
}

// quoted reads a string, or several that make up one, as in C.
func (p *Parser) quoted(in *noteReader) error {
	for {
		ahead := *in
		ahead.margin()
		if ahead.at == len(ahead.text) || ahead.text[ahead.at] != '"' {
			return nil
		}
		*in = ahead
		at, from := in.Place, in.at
		end := from + 1
		for end < len(in.text) && in.text[end] != '"' && in.text[end] != '\n' {
			if in.text[end] == '\\' && end+1 < len(in.text) && in.text[end+1] != '\n' {
				end++
			}
			end++
		}
		if end >= len(in.text) || in.text[end] == '\n' {
			return fault(at, "the text has no closing quote")
		}
		in.at, in.Column = end+1, in.Column+end+1-from
		at.Column++
		p.args = append(p.args, Argument{in.text[from+1 : end], at})
	}
}

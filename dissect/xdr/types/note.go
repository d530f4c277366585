package types

import (
	"bytes"
	"strings"
)

// A note is a mark in a comment: @name and its arguments.
type note struct {
	name string
	args []argument
	at   spot
}

// An argument is one of a note's.
type argument struct {
	text string
	at   spot
}

// noteForms are the notes and how each is written.
var noteForms = []struct{ name, form string }{
	{"as", "@as FORMAT, or @as flags ENUM"},
	{"attributes", "@attributes UNION"},
	{"contains", "@contains TYPE, or @contains UNION by FIELD"},
	{"eligible", "@eligible, or @eligible RFC 8267 section 6.2"},
	{"prefix", "@prefix TEXT"},
	{"status", "@status NAME"},
	{"summary", `@summary "text {field} text"`},
}

// readNotes adds the notes of a comment to those of the declaration, and returns
// the prose that is left.
//
// A note begins with an @ before which a blank stands. Where a line of the
// comment begins with one, the name must be that of a note; elsewhere an @ may
// be prose ("expressed as @groupname"), unless it looks like a note misspelt.
func (p *parser) readNotes(c *comment) (prose string, err error) {
	if strings.IndexByte(c.text, '@') < 0 {
		return tidy(c.text), nil
	}
	r := noteReader{text: c.text, spot: spot{p.source, c.line, c.column}}
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
					return "", fault(saved.spot, "@"+name+" is not a note"+near)
				}
				r = saved
				b = append(b, '@')
				r.next()
				continue
			}
			n := note{name: name, at: saved.spot}
			if n.args, err = p.out.arguments(&r, name); err != nil {
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
	spot
}

func (r *noteReader) next() {
	r.column++
	if r.text[r.at] == '\n' {
		r.line++
		r.column = 1
	}
	r.at++
}

// blanks passes over blanks of the line.
func (r *noteReader) blanks() {
	for r.at < len(r.text) && r.text[r.at] != '\n' && isBlank(r.text[r.at]) {
		r.next()
	}
}

// margin passes over blanks, line ends and the stars at the begin of a line.
func (r *noteReader) margin() {
	for r.at < len(r.text) && (isBlank(r.text[r.at]) || r.text[r.at] == '*') {
		r.next()
	}
}

func (r *noteReader) word() string {
	s := r.text[r.at:]
	n := word(s)
	r.at += n
	r.column += int32(n)
	return s[:n]
}

// arguments reads what a note takes.
func (r *resolver) arguments(in *noteReader, name string) ([]argument, error) {
	start := len(r.args)
	add := func() bool {
		in.blanks()
		at := in.spot
		w := in.word()
		if w != "" {
			r.args = append(r.args, argument{w, at})
		}
		return w != ""
	}
	ok := true
	switch name {
	case "as":
		if ok = add(); ok {
			if format := r.args[start].text; format == "flags" || format == "bits" {
				ok = add()
			}
		}
	case "attributes", "status", "prefix":
		ok = add()
	case "contains":
		ok = add()
		ahead := *in
		ahead.blanks()
		if ok && ahead.word() == "by" {
			*in = ahead
			ok = add()
		}
	case "eligible":
		in.blanks()
		at, from := in.spot, in.at
		for in.at < len(in.text) && strings.IndexByte("\n@;", in.text[in.at]) < 0 {
			in.next()
		}
		if ref := strings.TrimSpace(in.text[from:in.at]); ref != "" {
			r.args = append(r.args, argument{ref, at})
		}
	case "summary":
		if err := r.quoted(in); err != nil {
			return nil, err
		}
		if ok = len(r.args) > start; !ok {
			in.margin()
		}
	}
	if !ok {
		return nil, fault(in.spot, "the note is written "+noteForm(name))
	}
	return r.args[start:len(r.args):len(r.args)], nil
}

// quoted reads a string, or several that make up one, as in C.
func (r *resolver) quoted(in *noteReader) error {
	for {
		ahead := *in
		ahead.margin()
		if ahead.at == len(ahead.text) || ahead.text[ahead.at] != '"' {
			return nil
		}
		*in = ahead
		at, from := in.spot, in.at
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
		in.at, in.column = end+1, in.column+int32(end+1-from)
		at.column++
		r.args = append(r.args, argument{in.text[from+1 : end], at})
	}
}

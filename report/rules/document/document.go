package document

import "strings"

// A Document is the text of a rule.
type Document struct {
	// File is the name that errors begin with.
	File string
	// ID is the name of the rule, "HDR-005"; Title says in a few words what is wrong.
	ID, Title string
	// Severity is error, warning or note.
	Severity string
	// Since is the version that had the rule first.
	Since string
	// Reference names document and section: "RFC 8166, section 4.2.4".
	Reference string
	// Causes are rules, or cases of them, whose findings explain this one's.
	Causes []string
	// Wide says that findings are about the connection.
	Wide bool
	// Replaced are the rules that say the same better where both find something.
	Replaced []string
	// Usual says that each connection of Linux peers has its notes, if it has no cases.
	Usual bool
	// Cases are the ways to break the rule that have a letter.
	Cases []Case
	// Meaning, Why, Advice and Limits are its prose.
	Meaning, Why, Advice, Limits string
	// Conditions are what a rule that has no code of its own looks for, as it is written.
	Conditions []Entry

	samples text // what is read when it is asked for
}

// A Case is a way to break a rule that has a letter of its own.
type Case struct {
	Letter, Title, Severity, Advice string
	// Usual says that each connection of Linux peers has its notes.
	Usual bool
}

// An Entry is a line of the head, with the indented ones below it.
type Entry struct {
	Key, Value   string
	Line, Column int // where the value begins
	parts        []part
}

// A part is what an indented line adds to a value, from an offset in that on.
type part struct{ offset, line, column int }

// At is where a byte of the value stands.
func (e *Entry) At(offset int) (line, column int) {
	at := part{0, e.Line, e.Column}
	for _, p := range e.parts {
		if p.offset <= offset {
			at = p
		}
	}
	return at.line, at.column + offset - at.offset
}

// headings of prose and samples begin with it.
const heading = "== "

// Parse reads a document. What is wrong with it is an *Error.
func Parse(file, s string) (*Document, error) {
	d := &Document{File: file}
	t := &text{file: file, rest: s}
	head, err := entries(t)
	if err != nil {
		return nil, err
	}
	if err := d.fill(head); err != nil {
		return nil, err
	}
	if err := d.prose(t); err != nil {
		return nil, err
	}
	d.samples = *t
	return d, nil
}

// prose reads the sections before the first sample.
func (d *Document) prose(t *text) error {
	for {
		line, ok := t.peek()
		if !ok {
			return nil
		}
		name := strings.TrimSpace(strings.TrimPrefix(line, heading))
		at := d.section(name)
		switch {
		case at == nil && isSample(name):
			return nil
		case at == nil:
			return t.wrong(len(heading)+1, "unknown section "+quoted(name)+": use meaning, why, advice or limits, or fires, silent or scene with a name")
		case *at != "":
			return t.wrong(len(heading)+1, "a second section "+quoted(name))
		}
		t.pass(line)
		first := t.number + 1
		body := strings.TrimSpace(t.section())
		if body == "" {
			return &Error{d.File, t.number, 0, "nothing is in section " + quoted(name)}
		}
		if before, _, two := strings.Cut(body, "\n\n"); two {
			return &Error{d.File, first + strings.Count(before, "\n") + 1, 0, "section " + quoted(name) + " has more than one paragraph"}
		}
		*at = strings.ReplaceAll(body, "\n", " ")
	}
}

// section is where the prose of a section goes, nil if there is none of that name.
func (d *Document) section(name string) *string {
	switch name {
	case "meaning":
		return &d.Meaning
	case "why":
		return &d.Why
	case "advice":
		return &d.Advice
	case "limits":
		return &d.Limits
	}
	return nil
}

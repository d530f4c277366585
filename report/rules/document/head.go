package document

import (
	"slices"
	"strings"
)

// entries reads the lines before the first heading.
func entries(t *text) (list []Entry, err error) {
	const usual = 8 // more lines than most heads have
	list = make([]Entry, 0, usual)
	for {
		line, ok := t.peek()
		if !ok || strings.HasPrefix(line, heading) {
			return list, nil
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if len(list) == 0 {
				return nil, t.wrong(1, "an indented line continues a value, and there is none above")
			}
			last := &list[len(list)-1]
			if last.Value != "" {
				last.Value += " "
			}
			last.parts = append(last.parts, part{len(last.Value), t.number + 1, strings.Index(line, trimmed) + 1})
			last.Value += trimmed
		default:
			key, value, ok := strings.Cut(line, ":")
			if !ok {
				return nil, t.wrong(1, "a head has lines KEY: VALUE, or == and the name of a section")
			}
			column := len(key) + 2 + len(value) - len(strings.TrimLeft(value, " \t"))
			list = append(list, Entry{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value), Line: t.number + 1, Column: column})
		}
		t.pass(line)
	}
}

// fill takes what the head says.
func (d *Document) fill(head []Entry) error {
	seen := make(map[string]bool, len(head))
	for _, e := range head {
		if e.Value == "" {
			return d.wrong(e, quoted(e.Key)+" has no value")
		}
		if seen[e.Key] {
			return d.wrong(e, quoted(e.Key)+" is there twice")
		}
		seen[e.Key] = true
		word, rest, _ := strings.Cut(e.Key, " ")
		at := d.line(e.Key)
		var err error
		switch {
		case at != nil:
			*at = e.Value
		case e.Key == "causes":
			d.Causes = strings.Split(strings.ReplaceAll(e.Value, ", ", ","), ",")
		case e.Key == "wide":
			if d.Wide = e.Value == "yes"; !d.Wide {
				err = d.wrong(e, "wide is yes or absent")
			}
		case e.Key == "replaced":
			d.Replaced = strings.Split(strings.ReplaceAll(e.Value, ", ", ","), ",")
		case e.Key == "usual":
			err = d.usual(e)
		case word == "case":
			err = d.addCase(e, rest)
		case word == "advice":
			err = d.adviceOf(e, rest)
		default:
			d.Conditions = append(d.Conditions, e)
		}
		if err != nil {
			return err
		}
	}
	return d.complete(head)
}

// line is where the value of a key goes that is text and nothing else; nil for other keys.
func (d *Document) line(key string) *string {
	switch key {
	case "id":
		return &d.ID
	case "title":
		return &d.Title
	case "severity":
		return &d.Severity
	case "since":
		return &d.Since
	case "reference":
		return &d.Reference
	}
	return nil
}

// complete checks what every document must say.
func (d *Document) complete(head []Entry) error {
	for _, must := range [...]struct{ key, value string }{{"id", d.ID}, {"title", d.Title}, {"severity", d.Severity}} {
		if must.value == "" {
			if i := slices.IndexFunc(d.Conditions, func(e Entry) bool { return !isCondition(e.Key) }); i >= 0 {
				e := d.Conditions[i]
				return &Error{d.File, e.Line, 1, "unknown key " + quoted(e.Key) + ", and the head has no " + must.key}
			}
			return &Error{d.File, 1, 0, "the head has no " + must.key}
		}
	}
	for _, e := range head {
		if e.Key == "id" && !isID(e.Value) {
			return d.wrong(e, "an ID has capital letters and digits, a hyphen and three digits: SITE-001")
		}
		if e.Key == "severity" && !isSeverity(e.Value) {
			return d.wrong(e, "severity is error, warning or note")
		}
	}
	return nil
}

// addCase takes: case LETTER (SEVERITY): TITLE.
func (d *Document) addCase(e Entry, rest string) error {
	letter, severity, _ := strings.Cut(rest, " ")
	severity = strings.TrimSuffix(strings.TrimPrefix(severity, "("), ")")
	if len(letter) != 1 || letter < "a" || letter > "z" || !isSeverity(severity) {
		return &Error{d.File, e.Line, 1, "a case is written: case a (warning): what happens"}
	}
	if d.caseOf(letter) != nil {
		return &Error{d.File, e.Line, 1, "case " + letter + " is there twice"}
	}
	d.Cases = append(d.Cases, Case{Letter: letter, Title: e.Value, Severity: severity})
	return nil
}

// adviceOf takes: advice LETTER: TEXT.
func (d *Document) adviceOf(e Entry, letter string) error {
	c := d.caseOf(letter)
	if c == nil {
		return &Error{d.File, e.Line, 1, "no case " + quoted(letter) + " comes before its advice"}
	}
	c.Advice = e.Value
	return nil
}

// usual takes: usual: LETTER, LETTER or, of a rule without letters: usual: yes. They stand above.
func (d *Document) usual(e Entry) error {
	if d.Usual = e.Value == "yes"; d.Usual {
		return nil
	}
	for letter := range strings.SplitSeq(e.Value, ",") {
		c := d.caseOf(strings.TrimSpace(letter))
		if c == nil {
			return d.wrong(e, "usual is yes, or the letters of cases above")
		}
		c.Usual = true
	}
	return nil
}

func (d *Document) caseOf(letter string) *Case {
	for i := range d.Cases {
		if d.Cases[i].Letter == letter {
			return &d.Cases[i]
		}
	}
	return nil
}

// wrong is an error in a value.
func (d *Document) wrong(e Entry, reason string) error {
	return &Error{d.File, e.Line, e.Column, reason}
}

func isSeverity(s string) bool { return s == "error" || s == "warning" || s == "note" }

// isID reports whether s is like HDR-005.
func isID(s string) bool {
	family, number, _ := strings.Cut(s, "-")
	if family == "" || family[0] < 'A' || family[0] > 'Z' || len(number) != 3 || strings.Trim(number, "0123456789") != "" {
		return false
	}
	return strings.Trim(family, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// isCondition reports whether a key is, as far as this package can tell, a condition of
// package own.
func isCondition(key string) bool {
	word, _, _ := strings.Cut(key, " ")
	return word == "when" || word == "must" || word == "says"
}

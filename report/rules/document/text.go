package document

import (
	"strconv"
	"strings"
)

// text is what was not yet read of a document.
type text struct {
	file, rest string
	number     int // of the line that was read last, from 1
}

// peek is the next line, without its end.
func (t *text) peek() (line string, ok bool) {
	line, _, _ = strings.Cut(t.rest, "\n")
	return line, t.rest != ""
}

// next takes the next line.
func (t *text) next() (line string, ok bool) {
	line, ok = t.peek()
	if ok {
		t.pass(line)
	}
	return line, ok
}

// pass passes over the line that peek told.
func (t *text) pass(line string) {
	t.rest = t.rest[min(len(line)+1, len(t.rest)):]
	t.number++
}

// section takes all up to the next heading.
func (t *text) section() string {
	end := len(t.rest)
	if strings.HasPrefix(t.rest, heading) {
		end = 0
	} else if i := strings.Index(t.rest, "\n"+heading); i >= 0 {
		end = i + 1
	}
	s := t.rest[:end]
	t.rest = t.rest[end:]
	t.number += strings.Count(s, "\n")
	return s
}

// wrong is an error in the line that comes next.
func (t *text) wrong(column int, reason string) error {
	return &Error{t.file, t.number + 1, column, reason}
}

// quoted is a word of the text, with what a terminal would not show escaped, and cut if it
// is long.
func quoted(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}

package scene

import (
	"fmt"
	"strconv"
	"strings"
)

// An Error says what is wrong with a text, and in which line, counted from 1.
type Error struct {
	Line   int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// kind is what a token is.
type kind uint8

const (
	word kind = iota // anything else: a name, a number, 4096@0x1000
	text             // "..." with Go's escapes, unquoted here
	mark             // one of [ ] { } ( ) =
)

const marks = "[]{}()="

type token struct {
	kind kind
	text string
	line int
}

// is reports whether the token is that mark.
func (t token) is(m string) bool { return t.kind == mark && t.text == m }

func (t token) String() string {
	if t.kind == text {
		return strconv.Quote(t.text)
	}
	return t.text
}

// A line is one line of a text, or several where brackets stay open.
type line struct {
	number   int
	indented bool // or after a semicolon
	tokens   []token
}

// lexer cuts a text into lines and these into tokens.
type lexer struct {
	rest   string
	number int
	depth  int // of open brackets
	lines  []line
	open   line // being read
}

func lex(s string) ([]line, error) {
	l := lexer{rest: s, number: 1}
	l.beginToken(false)
	for l.rest != "" {
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	if l.depth != 0 {
		return nil, &Error{l.open.number, "a bracket is not closed"}
	}
	l.endToken()
	return l.lines, nil
}

// beginToken begins a line with what blanks stand before it.
func (l *lexer) beginToken(option bool) {
	blank := strings.HasPrefix(l.rest, " ") || strings.HasPrefix(l.rest, "\t")
	l.open = line{number: l.number, indented: option || blank}
}

func (l *lexer) endToken() {
	if len(l.open.tokens) > 0 {
		l.lines = append(l.lines, l.open)
	}
}

func (l *lexer) next() error {
	switch c := l.rest[0]; {
	case c == '\n':
		l.rest = l.rest[1:]
		l.number++
		if l.depth == 0 {
			l.endToken()
			l.beginToken(false)
		}
	case c == ' ' || c == '\t' || c == '\r' || c == ',' && l.depth > 0:
		l.rest = l.rest[1:]
	case c == '#':
		if end := strings.IndexByte(l.rest, '\n'); end >= 0 {
			l.rest = l.rest[end:]
		} else {
			l.rest = ""
		}
	case c == ';' && l.depth == 0:
		l.rest = l.rest[1:]
		l.endToken()
		l.beginToken(true)
	case c == '"':
		quoted, err := strconv.QuotedPrefix(l.rest)
		if err != nil {
			return &Error{l.number, "a text is not closed, or has a wrong escape"}
		}
		s, err := strconv.Unquote(quoted)
		if err != nil {
			return &Error{l.number, "a text has a wrong escape"}
		}
		l.addToken(text, quoted, s)
	case strings.IndexByte(marks, c) >= 0:
		return l.mark(string(c))
	default:
		n := strings.IndexAny(l.rest, marks+"\" \t\r\n;")
		if n < 0 {
			n = len(l.rest)
		}
		if l.depth > 0 {
			if comma := strings.IndexByte(l.rest[:n], ','); comma >= 0 {
				n = comma
			}
		}
		l.addToken(word, l.rest[:max(n, 1)], l.rest[:max(n, 1)])
	}
	return nil
}

func (l *lexer) mark(m string) error {
	switch m {
	case "[", "{", "(":
		l.depth++
	case "]", "}", ")":
		if l.depth--; l.depth < 0 {
			return &Error{l.number, m + " closes nothing"}
		}
	}
	l.addToken(mark, m, m)
	return nil
}

// addToken adds a token which stands as raw in the text.
func (l *lexer) addToken(k kind, raw, s string) {
	l.open.tokens = append(l.open.tokens, token{k, s, l.number})
	l.rest = l.rest[len(raw):]
}

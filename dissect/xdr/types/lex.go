package types

import "strings"

// maxText bounds a text, in octets. The largest of the IETF has 200 KiB.
const maxText = 1 << 20

// A token is a word, a number or a punctuation mark. The last of a text is "".
type token struct {
	text         string
	line, column int32
	// comments is how many comments stand before it in the text.
	comments int32
}

// A comment is one in the C way, without its marks.
type comment struct {
	text         string
	line, column int32
	// last is the line on which it ends.
	last int32
	// behind says that it begins on the line on which the token before it
	// ends: then it is about what stands there.
	behind bool
}

// A lexer cuts a text into tokens. It does what rpcgen leaves to the C
// preprocessor too, as far as published texts need it: #define with a number,
// and #ifdef with nothing defined but what the text itself defines. So a part
// for RPC_HDR or another output of rpcgen is passed over. It reads no further
// than it is asked to, and its slices are used again.
type lexer struct {
	source   *Source
	at       int
	line     int32
	bol      int // offset of the line's first octet
	tokens   []token
	comments []comment
	defines  []define
	endLine  int32 // line on which the last token ended
	defined  map[string]bool
	number   map[string]bool // the names in defines
	// nesting counts the conditions around; skipping those that do not hold,
	// from the outermost one on.
	nesting  int
	skipping int
}

// start begins with a text.
func (l *lexer) start(s *Source) error {
	*l = lexer{source: s, line: 1, tokens: l.tokens[:0], comments: l.comments[:0], defines: l.defines[:0]}
	if len(s.Text) > maxText {
		return fault(spot{s, 1, 1}, "text is longer than 1 MiB")
	}
	return nil
}

// declaration adds the tokens of one declaration, to its semicolon, and the one
// behind: the comments before that may be about this declaration. There may be
// such a token already.
func (l *lexer) declaration() error {
	depth, ended := 0, false
	for i := 0; ; i++ {
		if i == len(l.tokens) {
			if err := l.token(); err != nil {
				return err
			}
		}
		text := l.tokens[i].text
		switch {
		case ended || text == "":
			return nil
		case text == "{":
			depth++
		case text == "}":
			depth--
		}
		ended = text == ";" && depth <= 0
	}
}

// token adds a token.
func (l *lexer) token() error {
	if err := l.space(); err != nil {
		return err
	}
	text, start := l.source.Text, l.at
	if start == len(text) {
		if l.nesting > 0 {
			return fault(l.spot(), "#ifdef has no #endif")
		}
		l.add("")
		return nil
	}
	end := start + 1
	switch c := text[start]; {
	case isLetter(c) || isDigit(c) || c == '-' && end < len(text) && isDigit(text[end]):
		end += word(text[end:])
	case !isMark(c):
		return fault(l.spot(), "character "+quoteByte(c)+" has no meaning in XDR language")
	}
	l.add(text[start:end])
	l.at = end
	return nil
}

// isMark reports whether an octet is a token of its own.
func isMark(c byte) bool {
	switch c {
	case '{', '}', '(', ')', '[', ']', '<', '>', '=', ';', ':', ',', '*':
		return true
	}
	return false
}

// word is how many letters and digits a text begins with.
func word(s string) int {
	for i := range len(s) {
		if !isLetter(s[i]) && !isDigit(s[i]) {
			return i
		}
	}
	return len(s)
}

func (l *lexer) column() int32 { return int32(l.at - l.bol + 1) }

func (l *lexer) spot() spot { return spot{l.source, l.line, l.column()} }

func (l *lexer) add(text string) {
	l.tokens = append(l.tokens, token{text, l.line, l.column(), int32(len(l.comments))})
	l.endLine = l.line
}

// space passes over blanks, comments, and lines for rpcgen or the C
// preprocessor.
func (l *lexer) space() error {
	text := l.source.Text
	for l.at < len(text) {
		c := text[l.at]
		if c > ' ' && c != '/' && c != '#' && c != '%' && l.skipping == 0 {
			return nil // the usual case
		}
		switch {
		case c == '\n':
			l.at++
			l.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.at++
		case (c == '%' || c == '#') && strings.TrimSpace(text[l.bol:l.at]) == "":
			at := l.spot()
			line := l.rest()
			if c == '#' {
				if err := l.directive(at, line[1:]); err != nil {
					return err
				}
			} else if strings.HasPrefix(line, "%#define") {
				// rpcgen hands it on to the C compiler, with the names that
				// it leaves in its output. It may stand in a part for RPC_HDR.
				l.define(at, strings.Fields(line[2:]))
			}
			l.at += len(line)
		case l.skipping > 0:
			// In a part that is not for us only directives count.
			l.at += len(l.rest())
		case c == '/' && strings.HasPrefix(text[l.at:], "/*"):
			if err := l.comment(); err != nil {
				return err
			}
		case c == '/' && strings.HasPrefix(text[l.at:], "//"):
			line := l.rest()
			l.comments = append(l.comments, comment{line[2:], l.line, l.column(), l.line, l.line == l.endLine})
			l.at += len(line)
		default:
			return nil
		}
	}
	return nil
}

// rest is what is left of the line.
func (l *lexer) rest() string {
	line, _, _ := strings.Cut(l.source.Text[l.at:], "\n")
	return line
}

func (l *lexer) newline() {
	l.line++
	l.bol = l.at
}

func (l *lexer) comment() error {
	text := l.source.Text[l.at+2:]
	length := strings.Index(text, "*/")
	if length < 0 {
		return fault(l.spot(), "comment has no end")
	}
	c := comment{text: text[:length], line: l.line, column: l.column() + 2, behind: l.line == l.endLine}
	if last := strings.LastIndexByte(c.text, '\n'); last >= 0 {
		l.line += int32(strings.Count(c.text, "\n"))
		l.bol = l.at + 2 + last + 1
	}
	l.at += 2 + length + 2
	c.last = l.line
	l.comments = append(l.comments, c)
	return nil
}

func isLetter(c byte) bool { return c|0x20-'a' < 26 || c == '_' }
func isDigit(c byte) bool  { return c-'0' < 10 }

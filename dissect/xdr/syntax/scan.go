package syntax

import "strings"

// MaxText bounds a text, in bytes. The largest of the IETF has 200 KiB.
const MaxText = 1 << 20

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
	// after says that it begins on the line on which the token before it
	// ends: then it is about what stands there.
	behind bool
}

// A scanner cuts a text into tokens. It does what rpcgen leaves to the C
// preprocessor too, as far as published texts need it: #define with a number,
// and #ifdef with nothing defined but what the text itself defines. So a part
// for RPC_HDR or another output of rpcgen is passed over. It reads no further
// than it is asked to, and its slices are used again.
type scanner struct {
	source   *Source
	at       int
	line     int32
	bol      int // offset of the line's first byte
	tokens   []token
	comments []comment
	defines  []Const
	endLine  int32 // line on which the last token ended
	defined  map[string]bool
	number   map[string]bool // the names in defines
	// nesting counts the conditions around; skipping those that do not hold,
	// from the outermost one on.
	nesting  int
	skipping int
}

// start begins with a text.
func (s *scanner) start(text *Source) error {
	*s = scanner{source: text, line: 1, tokens: s.tokens[:0], comments: s.comments[:0], defines: s.defines[:0]}
	if len(text.Text) > MaxText {
		return fault(Place{text.File, 1, 1}, "text is longer than 1 MiB")
	}
	return nil
}

// declaration adds the tokens of one declaration, to its semicolon, and the one
// after: the comments before that may be about this declaration. There may be
// such a token already.
func (s *scanner) declaration() error {
	depth, ended := 0, false
	for i := 0; ; i++ {
		if i == len(s.tokens) {
			if err := s.token(); err != nil {
				return err
			}
		}
		text := s.tokens[i].text
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
func (s *scanner) token() error {
	if err := s.space(); err != nil {
		return err
	}
	text, start := s.source.Text, s.at
	if start == len(text) {
		if s.nesting > 0 {
			return fault(s.place(), "#ifdef has no #endif")
		}
		s.addToken("")
		return nil
	}
	end := start + 1
	switch c := text[start]; {
	case isLetter(c) || isDigit(c) || c == '-' && end < len(text) && isDigit(text[end]):
		end += word(text[end:])
	case !isMark(c):
		return fault(s.place(), "character "+quoteByte(c)+" has no meaning in XDR language")
	}
	s.addToken(text[start:end])
	s.at = end
	return nil
}

// isMark reports whether a byte is a token of its own.
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

func (s *scanner) column() int32 { return int32(s.at - s.bol + 1) }

func (s *scanner) place() Place { return Place{s.source.File, int(s.line), int(s.column())} }

func (s *scanner) addToken(text string) {
	s.tokens = append(s.tokens, token{text, s.line, s.column(), int32(len(s.comments))})
	s.endLine = s.line
}

// space passes over blanks, comments, and lines for rpcgen or the C
// preprocessor.
func (s *scanner) space() error {
	text := s.source.Text
	for s.at < len(text) {
		c := text[s.at]
		if c > ' ' && c != '/' && c != '#' && c != '%' && s.skipping == 0 {
			return nil // the usual case
		}
		switch {
		case c == '\n':
			s.at++
			s.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			s.at++
		case (c == '%' || c == '#') && strings.TrimSpace(text[s.bol:s.at]) == "":
			at := s.place()
			line := s.rest()
			if c == '#' {
				if err := s.directive(at, line[1:]); err != nil {
					return err
				}
			} else if strings.HasPrefix(line, "%#define") {
				// rpcgen hands it on to the C compiler, with the names that
				// it leaves in its output. It may stand in a part for RPC_HDR.
				s.define(at, strings.Fields(line[2:]))
			}
			s.at += len(line)
		case s.skipping > 0:
			// In a part that is not for us only directives count.
			s.at += len(s.rest())
		case c == '/' && strings.HasPrefix(text[s.at:], "/*"):
			if err := s.comment(); err != nil {
				return err
			}
		case c == '/' && strings.HasPrefix(text[s.at:], "//"):
			line := s.rest()
			s.comments = append(s.comments, comment{line[2:], s.line, s.column(), s.line, s.line == s.endLine})
			s.at += len(line)
		default:
			return nil
		}
	}
	return nil
}

// rest is what is left of the line.
func (s *scanner) rest() string {
	line, _, _ := strings.Cut(s.source.Text[s.at:], "\n")
	return line
}

func (s *scanner) newline() {
	s.line++
	s.bol = s.at
}

func (s *scanner) comment() error {
	text := s.source.Text[s.at+2:]
	length := strings.Index(text, "*/")
	if length < 0 {
		return fault(s.place(), "comment has no end")
	}
	c := comment{text: text[:length], line: s.line, column: s.column() + 2, behind: s.line == s.endLine}
	if last := strings.LastIndexByte(c.text, '\n'); last >= 0 {
		s.line += int32(strings.Count(c.text, "\n"))
		s.bol = s.at + 2 + last + 1
	}
	s.at += 2 + length + 2
	c.last = s.line
	s.comments = append(s.comments, c)
	return nil
}

func isLetter(c byte) bool { return c|0x20-'a' < 26 || c == '_' }
func isDigit(c byte) bool  { return c-'0' < 10 }

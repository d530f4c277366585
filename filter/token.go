package filter

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd      tokenKind = iota
	tokenWord               // a name, a number, an address: what the field makes of it
	tokenText               // in quotes
	tokenOperator           // of one or more of the characters = ! < > & | ~
	tokenDots               // ..
	tokenMark               // one of ( ) { } ,
)

// A token is one word or sign of an expression, [at, end) of its bytes.
type token struct {
	kind    tokenKind
	at, end int
	// text is the token as written; of text in quotes it is what is meant.
	text string
}

// signs are the characters that end a word, beside spaces.
const signs = "(){},\"'=!<>&|~#"

func inWord(c rune) bool { return !unicode.IsSpace(c) && !strings.ContainsRune(signs, c) }

func hasDots(s string) bool { return strings.Contains(s, "..") }

// operatorSigns are those of the signs that are operators, longer ones first.
var operatorSigns = [...]string{"===", "!==", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "~"}

// passSpace is what is left of text after spaces and comments: from # to the end of a line.
func passSpace(text string) string {
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if !strings.HasPrefix(text, "#") {
			return text
		}
		_, text, _ = strings.Cut(text, "\n")
	}
}

// nextToken reads the token that begins at byte at or after spaces and comments there.
func nextToken(expr string, at int) (token, *Error) {
	rest := passSpace(expr[at:])
	at = len(expr) - len(rest)
	t := token{at: at, end: at}
	switch {
	case rest == "":
		return t, nil
	case rest[0] == '"' || rest[0] == '\'':
		return quoted(expr, at, at)
	case strings.HasPrefix(rest, `r"`) || strings.HasPrefix(rest, `r'`):
		return quoted(expr, at, at+1)
	case strings.HasPrefix(rest, ".."):
		t.kind, t.end = tokenDots, at+2
	case strings.IndexByte("(){},", rest[0]) >= 0:
		t.kind, t.end = tokenMark, at+1
	case strings.IndexByte("=!<>&|~", rest[0]) >= 0:
		t.kind = tokenOperator
		for _, sign := range operatorSigns {
			if strings.HasPrefix(rest, sign) {
				t.end = at + len(sign)
				break
			}
		}
		if t.end == at {
			return t, misplacedSign(expr, at)
		}
	default:
		t.kind = tokenWord
		for t.end < len(expr) && !strings.HasPrefix(expr[t.end:], "..") {
			c, size := utf8.DecodeRuneInString(expr[t.end:])
			if !inWord(c) {
				break
			}
			t.end += size
		}
	}
	t.text = expr[t.at:t.end]
	return t, nil
}

// misplacedSign is the error of a sign that other languages have.
func misplacedSign(expr string, at int) *Error {
	hint := ""
	switch expr[at] {
	case '=':
		hint = "equality is =="
	case '&':
		hint = "and is written &&, or as a word; single bits cannot be tested"
	case '|':
		hint = "or is written ||, or as a word"
	}
	return &Error{expr, at, 1, "there is no operator " + expr[at:at+1], hint}
}

// quoted reads the text in quotes whose first quote is byte open; if open is
// not at, the letter r stands before it and backslashes mean themselves.
func quoted(expr string, at, open int) (token, *Error) {
	raw, quote := open > at, expr[open]
	var b strings.Builder
	for i := open + 1; i < len(expr); {
		c := expr[i]
		switch {
		case c == quote:
			return token{tokenText, at, i + 1, b.String()}, nil
		case c == '\\' && raw && i+1 < len(expr):
			// A quote after a backslash does not end the text.
			b.WriteString(expr[i : i+2])
			i += 2
		case c == '\\' && !raw:
			size := escape(&b, expr[i+1:])
			if size == 0 {
				_, size = utf8.DecodeRuneInString(expr[i+1:])
				return token{}, &Error{expr, i, 1 + size, strconv.Quote(expr[i:i+1+size]) + " is not an escape",
					`a backslash is written \\; or put r before the quotes, as in r"\.tmp$"`}
			}
			i += 1 + size
		default:
			b.WriteByte(c)
			i++
		}
	}
	return token{}, &Error{expr, open, len(expr) - open, "the quotes are not closed", ""}
}

// escape writes what the escape after a backslash means, and returns its size;
// 0 if there is none such. They are those of C.
func escape(b *strings.Builder, s string) (size int) {
	if s == "" {
		return 0
	}
	if i := strings.IndexByte(`'"\abfnrtv`, s[0]); i >= 0 {
		b.WriteByte("'\"\\\a\b\f\n\r\t\v"[i])
		return 1
	}
	number := func(from, digits, base int) (uint64, bool) {
		if len(s) < from+digits {
			return 0, false
		}
		v, err := strconv.ParseUint(s[from:from+digits], base, 32)
		return v, err == nil
	}
	switch s[0] {
	case 'x':
		if v, ok := number(1, 2, 16); ok {
			b.WriteByte(byte(v))
			return 3
		}
	case 'u', 'U':
		digits := 4
		if s[0] == 'U' {
			digits = 8
		}
		if v, ok := number(1, digits, 16); ok && utf8.ValidRune(rune(v)) {
			b.WriteRune(rune(v))
			return 1 + digits
		}
	default:
		if v, ok := number(0, 3, 8); ok && v <= 0xff {
			b.WriteByte(byte(v))
			return 3
		}
	}
	return 0
}

package field

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden reports whether a character would be there and not be seen, or change how
// the rest is seen: control characters, those that change the direction of writing,
// joiners and others without width, line and paragraph separators.
func Hidden(r rune) bool {
	if r < unicode.MaxASCII {
		return r < ' '
	}
	switch r {
	case '\u00a0', '–', '—', '…', '→': // what this program writes
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Variation_Selector) || r == '\u034f' || r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0'
}

// AppendVisible appends text in which what is Hidden, and each byte that is no
// UTF-8, is an escape: photo\u202egpj.exe. Wherever text of a stranger is shown,
// escapes are those of Go.
func AppendVisible(dst []byte, text string) []byte {
	for {
		plain := printableASCII(text)
		dst = append(dst, text[:plain]...)
		if text = text[plain:]; text == "" {
			return dst
		}
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n <= 1:
			dst = AppendByteEscape(dst, text[0])
		case Hidden(r):
			dst = AppendEscape(dst, r)
		default:
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
}

// Visible is text as AppendVisible shows it. What prints the name of a file goes by it: a
// name may have any byte but a slash, and is a stranger's.
func Visible(text string) string {
	if printableASCII(text) == len(text) {
		return text
	}
	if strings.IndexFunc(text, Hidden) < 0 && utf8.ValidString(text) {
		return text
	}
	return string(AppendVisible(nil, text))
}

// printableASCII is how many bytes text begins with that are ASCII and no controls,
// as most text is all through.
func printableASCII(text string) int {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= unicode.MaxASCII {
			return i
		}
	}
	return len(text)
}

// AppendQuote appends text in quotes, with all of it as an escape that cannot be
// seen for what it is.
func AppendQuote(dst, text []byte) []byte {
	dst = append(dst, '"')
	for {
		n := 0
		for n < len(text) && ' ' <= text[n] && text[n] <= '~' && text[n] != '"' && text[n] != '\\' {
			n++ // most text is nothing but these
		}
		dst = append(dst, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			break
		}
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == utf8.RuneError && n <= 1:
			dst = AppendByteEscape(dst, text[0])
		case !strconv.IsPrint(r) || Hidden(r):
			dst = AppendEscape(dst, r)
		default:
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return append(dst, '"')
}

// AppendEscape appends the escape of a character.
func AppendEscape(dst []byte, r rune) []byte {
	switch {
	case '\a' <= r && r <= '\r':
		return append(dst, '\\', "abtnvfr"[r-'\a'])
	case r < utf8.RuneSelf:
		return AppendByteEscape(dst, byte(r))
	case r <= 0xffff:
		return appendEscape(dst, 'u', uint32(r), 4)
	}
	return appendEscape(dst, 'U', uint32(r), 8)
}

// AppendByteEscape appends the escape of a byte that is no character.
func AppendByteEscape(dst []byte, c byte) []byte {
	return appendEscape(dst, 'x', uint32(c), 2)
}

func appendEscape(dst []byte, kind byte, v uint32, digits int) []byte {
	at := len(dst)
	dst = AppendHex(dst, uint64(v), digits)
	dst[at], dst[at+1] = '\\', kind // where 0x is
	return dst
}

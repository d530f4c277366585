package page

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is text that may come from a capture. Printed, also by html/template, it is
// Visible.
type Text string

// String is the text as Visible shows it.
func (t Text) String() string { return Visible(string(t)) }

// Visible replaces what would be there and not be seen, or change how the rest is
// seen, by escapes as Go writes them: control characters, those that change the
// direction of writing, joiners and other characters without width, line and
// paragraph separators, octets that are no UTF-8.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	at := strings.IndexFunc(s, hidden)
	if at < 0 && utf8.ValidString(s) {
		return s
	}
	return string(appendVisible(nil, s))
}

// plain reports whether there is nothing to replace, as far as that is soon known.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= unicode.MaxASCII {
			return false
		}
	}
	return true
}

func appendVisible(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			b = fmt.Appendf(b, `\x%02x`, s[i])
			n = 1
		case !hidden(r):
			b = append(b, s[i:i+n]...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\n':
			b = append(b, `\n`...)
		case r < utf8.RuneSelf:
			b = fmt.Appendf(b, `\x%02x`, r)
		case r <= 0xffff:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = fmt.Appendf(b, `\U%08x`, r)
		}
		i += n
	}
	return b
}

// hidden reports whether a character is not to be shown as it is.
func hidden(r rune) bool {
	if r < unicode.MaxASCII {
		return r < ' '
	}
	switch r {
	case '\u00a0', '–', '—', '…', '→': // what this program writes
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Variation_Selector) || r == '\u034f' || r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0'
}

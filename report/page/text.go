package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/field"
)

// Text is text that may come from a capture. Printed, also by html/template, it is
// Visible.
type Text string

// String is the text as Visible shows it.
func (t Text) String() string { return Visible(string(t)) }

// Visible is the text as field.AppendVisible shows it.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	at := strings.IndexFunc(s, field.Hidden)
	if at < 0 && utf8.ValidString(s) {
		return s
	}
	return string(field.AppendVisible(nil, s))
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

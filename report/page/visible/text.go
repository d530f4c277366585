// Package visible keeps what strangers wrote from being more than text: what is hidden in it,
// and would steer a browser or its reader, becomes an escape that can be seen.
package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/field"
)

// Text is text that may come from a capture. Printed, also in HTML, it is
// visible.
type Text string

// String is the text as Of shows it.
func (t Text) String() string { return Of(string(t)) }

// Of is the text as field.AppendVisible shows it.
func Of(s string) string {
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

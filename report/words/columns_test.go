package words

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestColumns has characters of one to four bytes at every place of the words of eight bytes
// that are looked at together.
func TestColumns(t *testing.T) {
	for _, character := range []string{"a", "µ", "→", "𝄞", "\x7f"} {
		for before := range 20 {
			for behind := range 20 {
				text := strings.Repeat("x", before) + character + character + strings.Repeat("y", behind)
				want := utf8.RuneCountInString(text)
				if got := Columns(text); got != want {
					t.Errorf("%q takes %d columns, want %d", text, got, want)
				}
				if got := Columns([]byte(text)); got != want {
					t.Errorf("%q in bytes takes %d columns, want %d", text, got, want)
				}
			}
		}
	}
}

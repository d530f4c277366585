package lines

import (
	"bytes"
	"strings"
	"testing"
)

// TestCut holds where a row ends that a terminal is too narrow for: columns of 10.
func TestCut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"fits", "0123456789", "0123456789"},
		{"one too many", "0123456789a", "012345678…"},
		{"wide characters", "→→→→→→→→→→", "→→→→→→→→→→"},
		{"wide characters, too many", "→→→→→→→→→→→", "→→→→→→→→→…"},
		{"coloured, fits", "\x1b[36m0123456789\x1b[0m", "\x1b[36m0123456789\x1b[0m"},
		{"cut within a colour", "01\x1b[36m23456789abc\x1b[0m", "01\x1b[36m2345678…\x1b[0m"},
		{"cut behind a colour", "01\x1b[1;31m23\x1b[0m456789abc", "01\x1b[1;31m23\x1b[0m45678…"},
		{"colour begins behind it", "0123456789\x1b[36mabc\x1b[0m", "012345678…"},
	} {
		w := New(nil, true, 10)
		w.B = append(w.B, "a line before, which is of no concern\n"...)
		before := len(w.B)
		w.B = append(w.B, c.text...)
		w.Cut()
		if got := string(w.B[before:]); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	w := New(nil, false, 0)
	w.B = append(w.B, strings.Repeat("x", 300)...)
	if w.Cut(); !bytes.Equal(w.B, bytes.Repeat([]byte("x"), 300)) {
		t.Error("nobody looks, and it is cut")
	}
}

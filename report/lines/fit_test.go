package lines

import (
	"bytes"
	"strings"
	"testing"
)

// TestFit holds where a line breaks that a terminal is too narrow for: columns of 50.
func TestFit(t *testing.T) {
	fifty := strings.Repeat("0123456789", 5)
	for _, c := range []struct{ name, text, want string }{
		{"fits", fifty, fifty},
		{"ends with the line", fifty[:44] + " right", fifty[:44] + " right"},
		{"ends behind it", fifty[:44] + " righty", fifty[:44] + "\n   righty"},
		{"wide characters", fifty[:44] + " →→→→→ x", fifty[:44] + " →→→→→\n   x"},
		{"space behind a full line", fifty + " more", fifty + "\n   more"},
		{"several times", fifty[:30] + " " + fifty[:30] + " " + fifty[:30], fifty[:30] + "\n   " + fifty[:30] + "\n   " + fifty[:30]},
		{"gap", fifty[:48] + "  gap", fifty[:48] + "\n   gap"},
		{"long word", fifty + fifty, fifty + fifty},
		{"long word, then others", fifty + fifty + " a b", fifty + fifty + "\n   a b"},
		{"long word behind one", "a " + fifty + fifty, "a\n   " + fifty + fifty},
		{"indented", "   " + fifty[:40] + " " + fifty[:10], "   " + fifty[:40] + "\n   " + fifty[:10]},
		{"colours", "\x1b[1;31m" + fifty[:20] + "\x1b[0m " + fifty[:29], "\x1b[1;31m" + fifty[:20] + "\x1b[0m " + fifty[:29]},
		{"colours, too wide", "\x1b[1;31m" + fifty[:20] + "\x1b[0m " + fifty[:30], "\x1b[1;31m" + fifty[:20] + "\x1b[0m\n   " + fifty[:30]},
	} {
		var out bytes.Buffer
		w := New(&out, true, 50)
		w.B = append(w.B, "a line before that is of no concern, however wide that one may be\n"...)
		before := len(w.B)
		w.B = append(w.B, c.text...)
		w.Fit(More)
		if got := string(w.B[before:]); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
	w := New(nil, false, 0)
	w.B = append(w.B, fifty+" "+fifty...)
	if w.Fit(More); string(w.B) != fifty+" "+fifty {
		t.Errorf("nobody looks, and it is broken: %q", w.B)
	}
}

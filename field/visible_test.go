package field

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/allocs"
)

// strange are texts of strangers, and how they are shown.
var strange = map[string]string{
	"photo\u202egpj.exe":           `photo\u202egpj.exe`,
	"\u2066a\u2069\u200bb\ufeff":   `\u2066a\u2069\u200bb\ufeff`,
	"\x1b[31m\x00\x7f\a\b\t\n\r\v": `\x1b[31m\x00\x7f\a\b\t\n\r\v`,
	"tag\U000e0041 \u0085\u2028":   `tag\U000e0041 \u0085\u2028`,
	"filler\u3164 heart\ufe0f":     `filler\u3164 heart\ufe0f`,
	"no UTF-8 \xff\xc3":            `no UTF-8 \xff\xc3`,
	"é→ \ufffd":                    "é→ \ufffd",
}

// TestVisible holds that text is shown in one way, in quotes and without.
func TestVisible(t *testing.T) {
	for s, want := range strange {
		if got := string(AppendVisible(nil, s)); got != want {
			t.Errorf("%q is shown as %s, want %s", s, got, want)
		}
		if got := Visible(s); got != want {
			t.Errorf("%q is shown as %s, want %s", s, got, want)
		}
		if got := string(AppendQuote([]byte("x"), []byte(s))); got != `x"`+want+`"` {
			t.Errorf("%q is quoted as %s, want %s", s, got, want)
		}
	}
	if got := string(AppendQuote(nil, []byte(`say "\n"`))); got != `"say \"\\n\""` {
		t.Errorf("quotes are quoted as %s", got)
	}
	b := make([]byte, 0, 64)
	if n := allocs.Per(10, func() { b = AppendQuote(b[:0], []byte("photo\u202e\xff\x1b\U000e0041")) }); n > 0 {
		t.Errorf("quoting allocates %v times", n)
	}
}

// FuzzAppendQuote holds that what is quoted can be read back, here and in Go.
func FuzzAppendQuote(f *testing.F) {
	for s := range strange {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := string(AppendQuote(nil, []byte(s)))
		if back, err := strconv.Unquote(q); err != nil || back != s || strings.ContainsFunc(q, Hidden) {
			t.Errorf("%q is quoted as %s, which is %q (%v)", s, q, back, err)
		}
	})
}

package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzJSONText holds that any bytes become a JSON string that reads back as
// the same text, with U+FFFD for what is no UTF-8, on one line.
func FuzzJSONText(f *testing.F) {
	for _, s := range []string{"", "plain", `"\`, "\x00\x1f\x7f\n\r\t", "é → 日本 \U0001f600", "\xff\xfe", "\xed\xa0\x80", "\u2028", "ab\xc3", "</script>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := append(AppendInside([]byte{'"'}, s), '"')
		var got string
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%q becomes %s: %v", s, b, err)
		}
		marshalled, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		if err := json.Unmarshal(marshalled, &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q reads back as %q, encoding/json has %q", s, got, want)
		}
		if !utf8.Valid(b) || strings.ContainsFunc(string(b), func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("%q becomes %q: control characters, or no UTF-8", s, b)
		}
	})
}

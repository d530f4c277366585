package visible

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// TestVisible holds what is shown as an escape, in HTML as in JSON.
func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"":                         "",
		"plain <b> & \"text\" — ✖": "plain <b> & \"text\" — ✖",
		"a\x00b\x1b[31m\x7f":       `a\x00b\x1b[31m\x7f`,
		"line\nand\ttab\r":         `line\nand\ttab\r`,
		"txt.\u202egpj":            `txt.\u202egpj`,
		"\u2066x\u2069\u200b":      `\u2066x\u2069\u200b`,
		"\ufeffbom\u00ad":          `\ufeffbom\u00ad`,
		"\u2028\u2029\u0085":       `\u2028\u2029\u0085`,
		"tag \U000e0041":           `tag \U000e0041`,
		"no UTF-8 \xff\xc3":        `no UTF-8 \xff\xc3`,
		"real \ufffd":              "real \ufffd",
		"a\u00a0b":                 "a\u00a0b",
	} {
		if got := field.Visible(s); got != want {
			t.Errorf("Visible(%q) is %q, want %q", s, got, want)
		}
		if got := Text(s).String(); got != want {
			t.Errorf("Text(%q) prints %q, want %q", s, got, want)
		}
		j := JSON{}
		j.Open('[')
		j.String(s)
		j.Text([]byte(s))
		j.Close(']')
		var back []string
		if err := json.Unmarshal(j.B, &back); err != nil || len(back) != 2 || back[0] != want || back[1] != want {
			t.Errorf("%q in JSON is %q (%v), want %q twice", s, back, err, want)
		}
	}
}

// FuzzVisible holds that nothing hidden is left, and that JSON stays JSON.
func FuzzVisible(f *testing.F) {
	f.Add("a\u202eb\xff\\\"")
	f.Fuzz(func(t *testing.T, s string) {
		v := field.Visible(s)
		if strings.ContainsFunc(v, field.Hidden) || field.Visible(v) != v {
			t.Errorf("%q is %q", s, v)
		}
		j := JSON{}
		j.String(s)
		var back string
		if err := json.Unmarshal(j.B, &back); err != nil || back != v {
			t.Errorf("%q in JSON is %q (%v), want %q", s, back, err, v)
		}
	})
}

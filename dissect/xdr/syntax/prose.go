package syntax

import (
	"strconv"
	"strings"
)

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// tidy makes one line of prose: without stars, rules and line ends.
func tidy(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || isTidy(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for w := range strings.FieldsSeq(s) {
		if isRule(w) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}

func isRule(word string) bool { return strings.Trim(word, "*-=_/#") == "" }

// isTidy reports whether s is words, none of them a rule, with one blank between
// two of them.
func isTidy(s string) bool {
	start := 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ' ':
			if isRule(s[start:i]) {
				return false
			}
			start = i + 1
		case s[i] < ' ' || s[i] >= 0x80:
			return false
		}
	}
	return true
}

func quoteByte(c byte) string { return strconv.QuoteRune(rune(c)) }

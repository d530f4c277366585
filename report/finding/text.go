package finding

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/field"
)

// lower begins with a small letter, unless the first word is a name.
func lower(s string) string {
	if len(s) > 1 && (s[1] >= 'a' && s[1] <= 'z' || s[1] == ' ') {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// capital begins with a capital letter, unless the first word is the name of a field.
func capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if s == "" || strings.ContainsAny(word, "_.") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// firstSentences are the first n sentences of a text.
func firstSentences(text string, n int) string {
	at := 0
	for range n {
		i := strings.Index(text[at:], ". ")
		if i < 0 {
			return text
		}
		at += i + 2
	}
	return strings.TrimSpace(text[:at])
}

// and joins parts as people do.
func and(parts []string) string {
	if n := len(parts) - 1; n > 0 {
		return strings.Join(parts[:n], ", ") + " and " + parts[n]
	}
	return strings.Join(parts, "")
}

// count is a number with commas between thousands.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func plural(n int64, one, many string) string { return count(n) + "\u00a0" + verb(n, one, many) }

func verb(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func duration(ns int64) string {
	return strings.ReplaceAll(string(field.AppendDuration(nil, ns)), " ", "\u00a0")
}

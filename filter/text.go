package filter

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// A text is what is asked of text or of bytes: a comparison with one value,
// byte by byte, a regular expression, or a set. The zero text passes nothing
// that has bytes; a test of presence does not look at what passes.
type text struct {
	op     operator
	value  string
	bytes  []byte         // value again
	set    []string       // of among, sorted
	regexp *regexp.Regexp // of matches
}

func newText(op operator, value string) text {
	return text{op: op, value: value, bytes: []byte(value)}
}

func (t *text) hasString(s string) bool {
	switch t.op {
	case contains:
		return strings.Contains(s, t.value)
	case matches:
		return t.regexp.MatchString(s)
	case among:
		_, found := slices.BinarySearch(t.set, s)
		return found
	}
	return t.op.holds(strings.Compare(s, t.value))
}

func (t *text) hasBytes(b []byte) bool {
	switch t.op {
	case contains:
		return bytes.Contains(b, t.bytes)
	case matches:
		return t.regexp.Match(b)
	case among:
		_, found := slices.BinarySearchFunc(t.set, b, compareText)
		return found
	}
	return t.op.holds(bytes.Compare(b, t.bytes))
}

// compareText converts for the comparisons only, which copies nothing.
func compareText(s string, b []byte) int {
	switch {
	case s < string(b):
		return -1
	case s > string(b):
		return 1
	}
	return 0
}

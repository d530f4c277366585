package ruletest

import "strings"

// Unindent returns the text of a scene as it stands in a test, without the indentation that
// all its lines have.
func Unindent(text string) string {
	lines := strings.Split(strings.Trim(text, " \t\n"), "\n")
	if first := strings.TrimLeft(text, "\n"); len(lines) > 0 {
		lines[0] = first[:len(first)-len(strings.TrimLeft(first, " \t"))] + lines[0]
	}
	common := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " \t"))]
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, common)
	}
	return strings.Join(lines, "\n") + "\n"
}

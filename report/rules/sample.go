package rules

import "strings"

// A Sample is a small capture, as the text of a scene that package
// internal/scene plays. The findings to expect stand in it.
type Sample struct {
	// Name says what happens in it.
	Name string
	// Over is the only transport that it makes sense for; "" for any.
	Over Transport
	// Scene is the text.
	Scene string
}

// Text is the scene without the indentation that all its lines have.
func (s Sample) Text() string { return strings.Join(s.Lines(), "\n") + "\n" }

// Lines are those of Text.
func (s Sample) Lines() []string {
	lines := strings.Split(strings.TrimRight(s.Scene, " \t\n"), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	common := -1
	for _, line := range lines {
		if n := len(line) - len(strings.TrimLeft(line, " \t")); strings.TrimSpace(line) != "" && (common < 0 || n < common) {
			common = n
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line[min(len(line), max(common, 0)):], " \t")
	}
	return lines
}

// A Transport is one that a sample can be limited to.
type Transport string

const (
	RoCE  Transport = "RoCE"
	IWARP Transport = "iWARP"
)

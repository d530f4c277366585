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

// Text is the scene.
func (s Sample) Text() string { return s.Scene }

// Lines are those of the scene.
func (s Sample) Lines() []string { return strings.Split(strings.TrimSuffix(s.Scene, "\n"), "\n") }

// A Transport is one that a sample can be limited to.
type Transport string

const (
	RoCE  Transport = "RoCE"
	IWARP Transport = "iWARP"
)

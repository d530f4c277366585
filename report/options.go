package report

import "fmt"

// Level says what is listed.
type Level uint8

const (
	LevelRPC     Level = iota // an RPC: call and reply together
	LevelMessage              // an RPC-over-RDMA message
	LevelFrame                // a captured frame
)

// ParseLevel reads a level by the name that the command line gives it.
func ParseLevel(s string) (Level, error) {
	switch s {
	case "rpc":
		return LevelRPC, nil
	case "message":
		return LevelMessage, nil
	case "frame":
		return LevelFrame, nil
	}
	return 0, fmt.Errorf("unknown level %q: it is frame, message or rpc", s)
}

// Options are what a renderer can be told.
type Options struct {
	// Level says what is listed.
	Level Level
	// Details adds the field tree, Hex the octets with each field's span.
	Details, Hex bool
	// Color colours text.
	Color bool
	// Quiet leaves out the summary line of text.
	Quiet bool
	// Filter says which rows are listed, nil for all. Of a connection nothing is
	// told unless a row of it is listed; the summary counts all.
	Filter Filter
	// Files is the number of captures; with more than one, frames are named
	// together with the index of their file.
	Files int
}

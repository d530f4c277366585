package listing

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
	return 0, fmt.Errorf("unknown level %q: use frame, message or rpc", s)
}

package sec

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection, each where it has
// something to.
type kept struct {
	reusedKeys reusedKeys // SEC-001
	spread     int        // SEC-001: calls that had a handle of another open call for memory far away
	patterns   [2]pattern // SEC-002: by the end that sent
	known      bool       // SEC-003: the others know of the connection
	stations   *[2]moves  // SEC-006: by the end that sent, nil before the first
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsSEC)

// crossConnections is what they remember across connections.
type crossConnections struct {
	neighbours neighbours // SEC-003
	identities identities // SEC-005
}

// crossSlot is where CrossConnection keeps it.
const crossSlot = rules.CrossSlot[crossConnections](rules.KeepsSEC)

func crossState(e *rules.ConnRef) *crossConnections {
	return crossSlot.Of(e.CrossConnection)
}

package sec

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection, each where it has
// something to.
type kept struct {
	lasting  lasting    // SEC-001
	spread   int        // SEC-001: calls that had a handle of another open call for memory far away
	patterns [2]pattern // SEC-002: by the end that sent
	known    bool       // SEC-003: the others know of the connection
	stations *[2]moves  // SEC-006: by the end that sent, nil before the first
}

func of(c *rules.Conn) *kept { return rules.Kept[kept](c, rules.KeepsSEC) }

// keptAcross is what they remember across connections.
type keptAcross struct {
	neighbours neighbours // SEC-003
	identities identities // SEC-005
}

func across(e *rules.Entry) *keptAcross {
	return rules.KeptAcross[keptAcross](e.Across, rules.KeepsSEC)
}

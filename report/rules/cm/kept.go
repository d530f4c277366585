package cm

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection; most have nothing to.
type kept struct {
	useless *useless // CM-001
	told    bool     // CM-005: what both ends told was posted
	ended   bool     // CM-006: the Terminate was looked at
	// open, of CM-007, counts the calls that the end left unanswered, xids are the first of
	// the client's.
	open int
	xids []uint32
}

func of(c *rules.Conn) *kept { return rules.Kept[kept](c, rules.KeepsCM) }

// ifAny is nil if nothing is remembered of the connection.
func ifAny(c *rules.Conn) *kept { return rules.KeptIf[kept](c, rules.KeepsCM) }

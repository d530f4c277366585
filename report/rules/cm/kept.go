package cm

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection; most have nothing to.
type kept struct {
	useless  *useless    // CM-001
	request  *request009 // CM-009: the first REQ
	declared bool        // CM-005: what both ends told was published
	ended    bool        // CM-006: the Terminate was looked at
	waited   bool        // CM-010: an end waited for more than a second before it sent a packet again
}

func of(c *rules.Conn) *kept { return rules.Kept[kept](c, rules.KeepsCM) }

// ifAny is nil if nothing is remembered of the connection.
func ifAny(c *rules.Conn) *kept { return rules.KeptIf[kept](c, rules.KeepsCM) }

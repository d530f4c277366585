package inv

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection.
type kept struct {
	invalidated bool         // INV-003: something was
	chances     *opportunity // INV-005: nil without RPCs that have chunks
}

func of(c *rules.Conn) *kept { return rules.Kept[kept](c, rules.KeepsINV) }

// ifAny is nil if nothing is remembered of the connection.
func ifAny(c *rules.Conn) *kept { return rules.KeptIf[kept](c, rules.KeepsINV) }

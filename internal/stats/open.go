package stats

import "github.com/rdmacap/rdmacap/dissect"

// Open is what was counted so far of the RPCs of a connection that is open. It is counted on,
// and valid until the connection is over.
func (g *Gatherer) Open(c *dissect.Connection) *Connection { return g.connectionOf(c) }

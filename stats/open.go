package stats

import "github.com/rdmacap/rdmacap/dissect"

// Open is what was counted so far of a connection that is open: its operations, and its
// messages. Both are counted on, and valid until the connection is over.
func (g *Gatherer) Open(c *dissect.Connection) (*Connection, *Traffic) {
	return g.of(c), g.shard.of(c)
}

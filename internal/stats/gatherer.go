package stats

import "github.com/rdmacap/rdmacap/dissect"

// A Gatherer is a dissect.Sink that counts. Where connections are followed apart, its
// methods Count and End are called in place of those of a Sink, with what Shards counted.
type Gatherer struct {
	// Totals are the operations of all connections that have ended, Parts those
	// inside COMPOUNDs of all connections.
	Totals Table
	Parts  Parts
	// Apart says that nobody asks for Totals and Parts: connections are all that counts.
	Apart bool
	// Only says which RPCs count, nil for all.
	Only func(r *dissect.RPC) bool
	// Connections is how many connections that have ended had RPCs.
	Connections int64

	ended func(*dissect.Connection, *Connection)
	open  map[int]*Connection
	last  *Connection // that of lastID, tried before the map
	id    int         // of last
	rows  int         // of the tables of all that are open
	shard *Shard
	fact  Fact // of the RPC that was told last
}

// New returns a Gatherer that calls ended for each connection that has ended. The
// dissect.Connection is valid during the call only; what was counted may be kept.
func New(ended func(*dissect.Connection, *Connection)) *Gatherer {
	return &Gatherer{ended: ended, open: make(map[int]*Connection), shard: NewShard()}
}

// connectionOf is what is counted of a connection.
func (g *Gatherer) connectionOf(c *dissect.Connection) *Connection {
	if g.last != nil && g.id == c.ID {
		return g.last
	}
	s := g.open[c.ID]
	if s == nil {
		s = new(Connection)
		g.open[c.ID] = s
	}
	g.last, g.id = s, c.ID
	return s
}

// Connection hands on what was counted of a connection that has ended.
func (g *Gatherer) Connection(c *dissect.Connection, final bool) {
	if final {
		g.End(c, g.shard.Over(c))
	}
}

// End hands on what was counted of a connection that has ended.
func (g *Gatherer) End(c *dissect.Connection, t *Traffic) {
	s := g.connectionOf(c)
	s.Traffic = *t
	if s.RPCs > 0 {
		g.Connections++
	}
	g.ended(c, s)
	if !g.Apart {
		g.Totals.merge(&s.Table)
	}
	g.rows -= len(s.Table.rows)
	delete(g.open, c.ID)
	g.last = nil
}

// Frame counts nothing: what receives frames is what their connection counts.
func (g *Gatherer) Frame(*dissect.FrameView) {}

// Message counts a message.
func (g *Gatherer) Message(m *dissect.Message) { g.shard.Message(m) }

// RPC counts an RPC.
func (g *Gatherer) RPC(r *dissect.RPC) {
	if g.Only != nil && !g.Only(r) {
		return
	}
	g.shard.Note(r, &g.fact)
	g.Count(r.Connection, &g.fact)
}

// Count counts an RPC of a connection.
func (g *Gatherer) Count(c *dissect.Connection, f *Fact) {
	s := g.connectionOf(c)
	s.RPCs++
	g.row(s, f).addFact(f)
	if !g.Apart {
		g.Parts.addFact(f)
	}
}

// row is where an RPC is counted.
func (g *Gatherer) row(s *Connection, f *Fact) *Operation {
	if row := s.Table.rows[f.subject]; row != nil {
		return row
	}
	if len(s.Table.rows) >= maxOperations || g.rows >= maxRows {
		s.Unlisted++
		return g.Totals.others()
	}
	g.rows++
	return s.Table.operationOf(f.subject, f.name)
}

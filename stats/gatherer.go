package stats

import "github.com/rdmacap/rdmacap/dissect"

// A Gatherer is a dissect.Sink that counts.
type Gatherer struct {
	// Totals are the operations of all connections that have ended, Parts those
	// inside COMPOUNDs of all connections.
	Totals Table
	Parts  Parts
	// Apart says that nobody asks for Totals and Parts: connections are all that counts.
	Apart bool
	// Connections is how many connections that have ended had RPCs.
	Connections int64

	ended func(*dissect.Connection, *Connection)
	open  map[int]*Connection
	last  *Connection // that of lastID, tried before the map
	id    int         // of last
	rows  int         // of the tables of all that are open
	ops   []dissect.Op
}

// New returns a Gatherer that calls ended for each connection that has ended. The
// dissect.Connection is valid during the call only; what was counted may be kept.
func New(ended func(*dissect.Connection, *Connection)) *Gatherer {
	return &Gatherer{ended: ended, open: make(map[int]*Connection)}
}

// of is what is counted of a connection.
func (g *Gatherer) of(c *dissect.Connection) *Connection {
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
	if !final {
		return
	}
	s := g.of(c)
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

// Frame counts nothing: what is told of frames is what their connection counts.
func (g *Gatherer) Frame(*dissect.FrameView) {}

// Ops are the operations of the RPC that was counted last, until the next is.
func (g *Gatherer) Ops() []dissect.Op { return g.ops }

// Message counts a message.
func (g *Gatherer) Message(m *dissect.Message) { g.of(m.Connection).message(m) }

// RPC counts an RPC.
func (g *Gatherer) RPC(r *dissect.RPC) {
	s := g.of(r.Connection)
	s.RPCs++
	g.ops = r.Ops(g.ops[:0])
	subject := subjectOf(r, g.ops)
	g.row(s, r, subject).add(r)
	if !g.Apart {
		g.Parts.add(r, subject, g.ops)
	}
}

// row is where an RPC is counted.
func (g *Gatherer) row(s *Connection, r *dissect.RPC, subject Subject) *Operation {
	if row := s.Table.rows[subject]; row != nil {
		return row
	}
	if len(s.Table.rows) >= maxOperations || g.rows >= maxRows {
		s.Unlisted++
		return g.Totals.others()
	}
	g.rows++
	return s.Table.put(subject, nameOf(r, g.ops))
}

// nameOf is what a person calls an RPC with these operations.
func nameOf(r *dissect.RPC, ops []dissect.Op) string { return string(r.AppendName(nil, ops)) }

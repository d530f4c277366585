package stats

import "github.com/rdmacap/rdmacap/dissect"

// A Shard counts what can be counted of a connection without any other. The rest it
// notes as Facts, which a Gatherer counts later, in the order of the capture: what is
// counted of all connections has limits.
type Shard struct {
	open  map[*dissect.Connection]*Traffic
	last  *Traffic // that of conn, tried before the map
	conn  *dissect.Connection
	texts texts
}

// NewShard returns a Shard.
func NewShard() *Shard { return &Shard{open: make(map[*dissect.Connection]*Traffic)} }

// Message counts a message.
func (s *Shard) Message(m *dissect.Message) { s.trafficOf(m.Connection).message(m) }

func (s *Shard) trafficOf(c *dissect.Connection) *Traffic {
	if s.conn == c {
		return s.last
	}
	t := s.open[c]
	if t == nil {
		t = new(Traffic)
		s.open[c] = t
	}
	s.conn, s.last = c, t
	return t
}

// Over is what was counted of a connection that is over.
func (s *Shard) Over(c *dissect.Connection) *Traffic {
	t := s.trafficOf(c)
	delete(s.open, c)
	s.conn, s.last = nil, nil
	return t
}

// Note notes an RPC. The operations of the Fact are used again.
func (s *Shard) Note(r *dissect.RPC, f *Fact) {
	f.ops = r.Ops(f.ops[:0])
	f.note(r, &s.texts)
}

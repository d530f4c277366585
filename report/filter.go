package report

import "github.com/rdmacap/rdmacap/dissect"

// A Filter says which rows or records are listed. It is asked only of the level
// that is.
type Filter interface {
	Frame(v *dissect.FrameView) bool
	Message(m *dissect.Message) bool
	RPC(r *dissect.RPC) bool
	// Another is the same for another goroutine, nil if there can be none, since it
	// asks for numbers of connections: these are known only in the order of the capture.
	Another() Filter
}

// everything is the Filter of who has none.
type everything struct{}

func (everything) Frame(*dissect.FrameView) bool { return true }
func (everything) Message(*dissect.Message) bool { return true }
func (everything) RPC(*dissect.RPC) bool         { return true }
func (e everything) Another() Filter             { return e }

// A selection is what a Filter let through: rows, and so connections. Of a
// connection nothing is told unless a row is of it.
type selection struct {
	Filter
	all   bool // there is no filter
	rows  int64
	conns map[*dissect.Connection]standing // those that have not ended
	parts []*selection                     // of those that write drafts
}

// standing is how far a connection has come.
type standing uint8

const (
	unheard standing = iota
	announced
	shown // a row is of it
)

func newSelection(f Filter) selection {
	if f == nil {
		return selection{Filter: everything{}, all: true}
	}
	return selection{Filter: f, conns: make(map[*dissect.Connection]standing)}
}

// connection reports whether to tell of a connection that is announced or, with
// final, has ended.
func (s *selection) connection(c *dissect.Connection, final bool) bool {
	if s.all {
		return true
	}
	was := s.conns[c]
	switch {
	case final:
		delete(s.conns, c)
	case was == unheard:
		s.conns[c] = announced
	}
	return was == shown
}

// row counts a row, and reports whether its connection, nil if it has none,
// is to be told first: it was announced, but no row was of it so far.
func (s *selection) row(c *dissect.Connection) (first bool) {
	s.rows++
	if s.all || c == nil {
		return false
	}
	was := s.conns[c]
	s.conns[c] = shown
	return was == announced
}

// count is how many rows there were, with those of all parts, which are over.
func (s *selection) count() (n int64) {
	n = s.rows
	for _, p := range s.parts {
		n += p.rows
	}
	return n
}

// listed is how many rows there were to choose from.
func listed(l Level, s *dissect.Summary) (n int64, noun string) {
	switch l {
	case LevelFrame:
		return s.Frames, "frame"
	case LevelMessage:
		return s.Messages, "message"
	}
	return s.RPCs, "RPC"
}

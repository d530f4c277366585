package listing

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

func (everything) RPC(*dissect.RPC) bool { return true }

func (e everything) Another() Filter { return e }

// A Selection is what a Filter let through: rows, and so connections. Of a
// connection nothing is told unless a row is of it.
type Selection struct {
	Filter
	All   bool // there is no filter
	rows  int64
	conns map[*dissect.Connection]standing // those that have not ended
	Parts []*Selection                     // of those that write drafts
}

// standing is how far a connection has come.
type standing uint8

const (
	neverCaptured standing = iota
	announced
	shown // a row is of it
)

// NewSelection returns the selection of a filter, nil for everything. If it is limited, not all
// is listed that the filter lets through.
func NewSelection(f Filter, limited bool) Selection {
	if f == nil {
		f = everything{}
		if !limited {
			return Selection{Filter: f, All: true}
		}
	}
	return Selection{Filter: f, conns: make(map[*dissect.Connection]standing)}
}

// Connection reports whether to report a connection that is announced or, with
// final, has ended.
func (s *Selection) Connection(c *dissect.Connection, final bool) bool {
	if s.All {
		return true
	}
	was := s.conns[c]
	switch {
	case final:
		delete(s.conns, c)
	case was == neverCaptured:
		s.conns[c] = announced
	}
	return was == shown
}

// Row counts a row, and reports whether its connection, nil if it has none,
// is to be told first: it was announced, but no row was of it so far.
func (s *Selection) Row(c *dissect.Connection) (first bool) {
	s.rows++
	if s.All || c == nil {
		return false
	}
	was := s.conns[c]
	s.conns[c] = shown
	return was == announced
}

// Count is how many rows there were, with those of all parts, which are over.
func (s *Selection) Count() (n int64) {
	n = s.rows
	for _, p := range s.Parts {
		n += p.rows
	}
	return n
}

// Listed is how many rows there were to choose from.
func Listed(l Level, s *dissect.Summary) (n int64, noun string) {
	switch l {
	case LevelFrame:
		return s.Frames, "frame"
	case LevelMessage:
		return s.Messages, "message"
	}
	return s.RPCs, "RPC"
}

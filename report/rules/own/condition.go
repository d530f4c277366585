package own

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
)

// level says what a condition is about.
type level uint8

const (
	rpcs level = iota
	messages
	frames
	connections
)

func levelOf(name string) (level, bool) {
	switch name {
	case "rpc":
		return rpcs, true
	case "message":
		return messages, true
	case "frame":
		return frames, true
	case "connection":
		return connections, true
	}
	return 0, false
}

// A condition is a filter about events of a level. Connections are followed by several
// goroutines at a time, and a query is for one.
type condition struct {
	level   level
	queries sync.Pool // of *query.Query, or of connections *connectionQuery
	keys    []string  // the values of arguments and results that it reads
	text    string
	// numbered says that it asks for the number of the connection.
	numbered bool
}

func newCondition(l level, expr string, sets *query.Sets) (*condition, error) {
	c := &condition{level: l, text: expr}
	if l == connections {
		set, list, err := connectionSet()
		if err != nil {
			return nil, err
		}
		f, err := set.Compile(expr)
		c.queries.New = func() any {
			another, _ := set.Compile(expr) // as it was compiled before
			return &connectionQuery{filter: another, list: list}
		}
		c.queries.Put(&connectionQuery{filter: f, list: list})
		return c, err
	}
	q, err := sets.Compile([...]query.Level{rpcs: query.RPCs, messages: query.Messages, frames: query.Frames}[l], expr)
	if err != nil {
		return nil, err
	}
	c.keys, c.numbered = q.Keys(), q.Asks("connection")
	c.queries.New = func() any { return q.Another() }
	return c, nil
}

func (c *condition) rpc(r *dissect.RPC) bool {
	q := c.queries.Get().(*query.Query)
	defer c.queries.Put(q)
	return q.RPC(r)
}

func (c *condition) message(m *dissect.Message) bool {
	q := c.queries.Get().(*query.Query)
	defer c.queries.Put(q)
	return q.Message(m)
}

func (c *condition) frame(v *dissect.FrameView) bool {
	q := c.queries.Get().(*query.Query)
	defer c.queries.Put(q)
	return q.Frame(v)
}

func (c *condition) connection(d *dissect.Connection) bool {
	q := c.queries.Get().(*connectionQuery)
	defer c.queries.Put(q)
	q.row = d
	return q.filter.Match(q)
}

// A connectionQuery asks about connections.
type connectionQuery struct {
	filter *filter.Filter
	list   []connectionField
	row    *dissect.Connection
}

// Values implements filter.Record.
func (q *connectionQuery) Values(field int, to *filter.Values) { q.list[field].give(q.row, to) }

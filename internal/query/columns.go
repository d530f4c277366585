package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
)

// Columns show the values that rows of one level have of some fields. They are for one
// goroutine at a time.
type Columns struct {
	sets   *Sets
	level  Level
	list   string // as the user wrote it
	fields []int  // indices in the fields of the level
	values records
	names  []map[uint64]string // of each field, nil unless it is an Enum that cannot spell
	shown  filter.Shown
	// Plain has lengths of time in seconds, with all their digits: for programs.
	Plain bool
}

// Columns are those of the fields that a list names, between commas. What is wrong with
// one is a *filter.Error.
func (s *Sets) Columns(l Level, list string) (*Columns, error) {
	c := &Columns{sets: s, level: l, list: list, values: s.records()}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		at, ok := s.sets[l].Lookup(name)
		if !ok {
			if _, err := s.sets[l].Compile(name); err != nil {
				return nil, err // which says what was meant
			}
			return nil, fmt.Errorf("%q is not a field: separate fields with commas, as in rpc.xid,rpc.latency", name)
		}
		c.fields = append(c.fields, at)
		c.names = append(c.names, namesOf(&s.fields[l][at]))
	}
	if l == RPCs {
		c.values.rpcs.need(c.fields)
	}
	return c, nil
}

// namesOf are the names of an Enum's values, nil if it can spell them.
func namesOf(f *Field) map[uint64]string {
	if f.Kind != filter.Enum || f.Spell != nil {
		return nil
	}
	names := make(map[uint64]string)
	for name, v := range f.Names {
		if _, ok := names[v]; !ok {
			names[v] = name
		}
	}
	return names
}

// Another is the same for another goroutine.
func (c *Columns) Another() *Columns {
	x, _ := c.sets.Columns(c.level, c.list) // as it was before
	x.Plain = c.Plain
	return x
}

// Asks reports whether a field is one of them.
func (c *Columns) Asks(name string) bool {
	return slices.ContainsFunc(c.fields, func(i int) bool { return c.sets.fields[c.level][i].Name == name })
}

// Keys are the fields of texts whose values are shown: they are for dissect.Bindings.Ask,
// without which an RPC does not have them.
func (c *Columns) Keys() []string { return c.values.rpcs.keys }

// Fields are the fields, in the order of the list.
func (c *Columns) Fields() (fields []*Field) {
	for _, i := range c.fields {
		fields = append(fields, &c.sets.fields[c.level][i])
	}
	return fields
}

// Frame, Message and RPC take the row that AppendTo is about.
func (c *Columns) Frame(v *dissect.FrameView) { c.values.frames.row = v }

func (c *Columns) Message(m *dissect.Message) { c.values.messages.row = m }

func (c *Columns) RPC(r *dissect.RPC) { c.values.rpcs.row = r }

// AppendTo appends the values that the row has of a column, between commas; nothing if it
// has none.
func (c *Columns) AppendTo(b []byte, column int) []byte {
	f := &c.sets.fields[c.level][c.fields[column]]
	for i, list := 0, c.valuesOf(column); i < len(list); i++ {
		if i > 0 {
			b = append(b, ',')
		}
		if v := &list[i]; c.Plain && f.Kind == filter.Duration {
			b = field.AppendSeconds(b, int64(v.Number))
		} else {
			b = f.appendValue(b, v, c.names[column])
		}
	}
	return b
}

// valuesOf are the values that the row has of a column, good until the next are asked for.
func (c *Columns) valuesOf(column int) []filter.Value {
	at, to := c.fields[column], c.shown.Of()
	switch c.level {
	case Frames:
		c.values.frames.Values(at, to)
	case Messages:
		c.values.messages.Values(at, to)
	default:
		c.values.rpcs.Values(at, to)
	}
	return c.shown.List
}

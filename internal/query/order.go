package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// An Order sorts rows of one level by the first value that they have of a field. It is for one
// goroutine at a time.
type Order struct {
	columns *Columns
	text    []byte
}

// Order is that of a field. What is wrong with its name is a *filter.Error.
func (s *Sets) Order(l Level, field string) (*Order, error) {
	c, err := s.Columns(l, field)
	if err != nil {
		return nil, err
	}
	return &Order{columns: c}, nil
}

// Keys are the fields of texts that it needs, as those of Columns.
func (o *Order) Keys() []string { return o.columns.Keys() }

// Frame, Message and RPC take the row that Key is about.
func (o *Order) Frame(v *dissect.FrameView) { o.columns.Frame(v) }

func (o *Order) Message(m *dissect.Message) { o.columns.Message(m) }

func (o *Order) RPC(r *dissect.RPC) { o.columns.RPC(r) }

// Key is by what the row is sorted: by a number, or by a text that is good until the next row.
func (o *Order) Key() (number uint64, text []byte, has bool) {
	c := o.columns
	list := c.valuesOf(0)
	if len(list) == 0 {
		return 0, nil, false
	}
	v, f := &list[0], &c.sets.fields[c.level][c.fields[0]]
	switch f.Kind {
	case filter.Int, filter.Duration, filter.Time:
		const sign = 1 << 63 // so that negative numbers come before others
		return v.Number ^ sign, nil, true
	case filter.Bool, filter.Uint:
		return v.Number, nil, true
	}
	o.text = f.appendValue(o.text[:0], v, c.names[0])
	return 0, o.text, true
}

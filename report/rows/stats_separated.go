package rows

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// SeparatedStats writes statistics for programs: a row for each operation of each connection when
// that has ended, then of all together, which have no connection. It is a dissect.Sink.
type SeparatedStats struct {
	*stats.Gatherer
	t       *Text
	columns []statsColumn
	order   stats.Order
}

// A statsColumn is one of rows that are about an operation of a connection, 0 for all of them.
type statsColumn struct {
	name, doc string
	write     func(t *Text, connection int, o *stats.Operation)
}

// NewSeparatedStats returns one that writes to w; the options say what separates cells, and the order
// which operations of a connection have a row. The columns are those that are named, or all.
func NewSeparatedStats(w io.Writer, opts listing.Options, order stats.Order, columns []string) (*SeparatedStats, error) {
	s := &SeparatedStats{t: NewText(w, opts), order: order}
	all := statsColumns()
	for _, name := range columns {
		at := slices.IndexFunc(all, func(c statsColumn) bool { return c.name == strings.ToLower(strings.TrimSpace(name)) })
		if at < 0 {
			return nil, fmt.Errorf("--columns: there is no column %q: --columns help lists them", name)
		}
		s.columns = append(s.columns, all[at])
	}
	if len(columns) == 0 {
		s.columns = all
	}
	s.Gatherer = stats.New(s.ended)
	if opts.Filter != nil {
		s.Only = opts.Filter.RPC
	}
	return s, nil
}

// OwnStats are the columns of statistics for programs.
func OwnStats() (list []listing.Own) {
	for _, c := range statsColumns() {
		list = append(list, listing.Own{Name: c.name, Doc: c.doc})
	}
	return list
}

func statsColumns() []statsColumn {
	list := []statsColumn{
		{"connection", "number of the connection, empty for the total", func(t *Text, connection int, _ *stats.Operation) {
			if connection > 0 {
				t.B = strconv.AppendInt(t.B, int64(connection), 10)
			}
		}},
		{"operation", "program, version and procedure; for a COMPOUND its main operation", func(t *Text, _ int, o *stats.Operation) {
			t.B = append(t.B, words.RowName(&o.Subject, o.Name)...)
		}},
	}
	for _, c := range stats.Columns() {
		list = append(list, statsColumn{c.Name, c.Doc, func(t *Text, _ int, o *stats.Operation) {
			switch {
			case !c.Known(o):
			case c.Latency:
				t.seconds(c.Of(o))
			default:
				t.B = strconv.AppendInt(t.B, c.Of(o), 10)
			}
		}})
	}
	return list
}

// heading writes the names of the columns, once.
func (s *SeparatedStats) heading() {
	if s.t.headed {
		return
	}
	s.t.headed = true
	s.row(func(c *statsColumn) { s.t.B = append(s.t.B, c.name...) })
}

// Part returns a Part that counts for s.
func (s *SeparatedStats) Part(d *dissect.Dissector) dissect.Part {
	return draft.NewStats(s.Gatherer, d, s.t.opts.Counted(), nil)
}

// Flush writes what was gathered and returns the first error of the writer.
func (s *SeparatedStats) Flush() error { return s.t.Flush() }

// Err is the first error of the writer: nobody reads on.
func (s *SeparatedStats) Err() error { return s.t.Err() }

// Finish writes the totals, and everything out.
func (s *SeparatedStats) Finish(dissect.Summary, time.Duration) error {
	s.table(&s.Totals, 0)
	return s.t.Flush()
}

// ended writes what a connection came to.
func (s *SeparatedStats) ended(c *dissect.Connection, of *stats.Connection) { s.table(&of.Table, c.ID) }

// table writes a row for each operation that is listed; those of all connections have none.
func (s *SeparatedStats) table(of *stats.Table, connection int) {
	s.heading()
	list, _ := of.Listed(s.order)
	for _, o := range list {
		s.row(func(c *statsColumn) { c.write(s.t, connection, o) })
	}
}

// row writes a cell of each column.
func (s *SeparatedStats) row(cell func(c *statsColumn)) {
	for i := range s.columns {
		if i > 0 {
			s.t.B = append(s.t.B, s.t.opts.Separator)
		}
		at := len(s.t.B)
		cell(&s.columns[i])
		s.t.B = quoted(s.t.B, at, s.t.opts.Separator)
	}
	s.t.End()
}

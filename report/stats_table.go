package report

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/stats"
)

// A grid is a table whose rows are all known before the first is printed, so
// that its columns are as wide as they need to be.
type grid struct {
	columns []column
	rows    [][]string
}

// drop leaves a column out.
func (g *grid) drop(name string) {
	at := slices.IndexFunc(g.columns, func(c column) bool { return c.name == name })
	g.columns = slices.Delete(g.columns, at, at+1)
	for i := range g.rows {
		g.rows[i] = slices.Delete(g.rows[i], at, at+1)
	}
}

// print prints the grid: the first column in the ink of names, the last, of any
// width, in the ink of what is odd.
func (g *grid) print(t *Text) {
	for i := range g.columns {
		c := &g.columns[i]
		c.width = columns(c.name)
		for _, row := range g.rows {
			c.width = max(c.width, columns(row[i]))
		}
	}
	last := len(g.columns) - 1
	g.columns[last].width = 0
	line := func(row []string, name, odd ink) {
		t.more()
		t.b = append(t.b, name.on...)
		t.cell(g.columns[0], row[0])
		t.b = append(t.b, name.off...)
		for i, text := range row[1:last] {
			t.cell(g.columns[1+i], text)
		}
		if row[last] == "" {
			t.b = bytes.TrimRight(t.b, " ")
		} else {
			t.b = odd.append(t.b, row[last])
		}
		t.endRow()
	}
	heads := make([]string, len(g.columns))
	for i, c := range g.columns {
		heads[i] = c.name
	}
	t.b = append(t.b, t.style.dim.on...)
	line(heads, ink{}, ink{})
	t.b = append(t.b, t.style.dim.off...)
	for _, row := range g.rows {
		line(row, t.style.name, t.style.odd)
	}
}

// table prints the operations of a connection, or of all.
func (s *StatsText) table(of *stats.Table) {
	if g := operationsGrid(of); len(g.rows) > 0 {
		g.print(s.t)
	}
}

// operationsGrid has a row for each operation of a table.
func operationsGrid(of *stats.Table) *grid {
	rows := of.Rows()
	if of.Others != nil {
		rows = append(rows, of.Others)
	}
	g := &grid{columns: []column{
		{name: "Operation"}, {name: "Calls", right: true}, {name: colReplies, right: true}, {name: colUnanswered, right: true},
		{name: colIncomplete, right: true}, {name: "Errors", right: true},
		{name: "Call [B]", right: true}, {name: "Reply [B]", right: true},
		{name: "RDMA Read [B]", right: true}, {name: "Write [B]", right: true},
		{name: "Call i/c/l [%]", right: true}, {name: "Reply i/c/l [%]", right: true},
		{name: "Min", right: true}, {name: "Median", right: true}, {name: "p90", right: true}, {name: "p99", right: true}, {name: "Max", right: true},
		{name: "Errors by name"},
	}}
	answered, complete := true, true
	for _, o := range rows {
		answered = answered && o.Calls == o.Replies && o.Unanswered == 0
		complete = complete && o.Incomplete == 0
		row := []string{
			rowName(&o.Subject, o.Name), number(o.Calls), number(o.Replies), number(o.Unanswered),
			number(o.Incomplete), number(o.Errors.Total),
			number(int64(o.CallOctets)), number(int64(o.ReplyOctets)),
			number(int64(o.ReadOctets)), number(int64(o.WriteOctets)),
			shares(&o.CallTransfers), shares(&o.ReplyTransfers),
		}
		g.rows = append(g.rows, append(append(row, latencies(&o.Latency)...), names(&o.Errors)))
	}
	if answered {
		g.drop(colReplies)
		g.drop(colUnanswered)
	}
	if complete {
		g.drop(colIncomplete)
	}
	return g
}

// Columns that are there only where they tell something.
const (
	colReplies    = "Replies"
	colUnanswered = "No reply"
	colIncomplete = "Incomplete"
)

// parts prints the operations inside COMPOUNDs.
func (s *StatsText) parts(rows []*stats.Part) {
	g := grid{columns: []column{
		{name: "Operation"}, {name: "Calls", right: true}, {name: "Results", right: true},
		{name: "Errors", right: true}, {name: "Not reached", right: true}, {name: "Errors by name"},
	}}
	for _, p := range rows {
		g.rows = append(g.rows, []string{
			rowName(&p.Subject, p.Name), number(p.Calls), number(p.Replies),
			number(p.Errors.Total), number(p.NotReached), names(&p.Errors),
		})
	}
	g.print(s.t)
}

// none stands where there is nothing to tell.
const none = "-"

// number is a count; a dash for 0, so that what is there can be seen.
func number(n int64) string {
	if n == 0 {
		return none
	}
	return strconv.FormatInt(n, 10)
}

// shares is how messages travelled, in percent: "75/25/0" are inline, chunked
// and long.
func shares(t *stats.Transfers) string {
	all := t.Total()
	if all == 0 {
		return none
	}
	return percent(t.Inline, all) + "/" + percent(t.Chunked, all) + "/" + percent(t.Long, all)
}

// percent is a share. It is 0 or 100 only if it is none or all.
func percent(n, all int64) string {
	switch p := (100*n + all/2) / all; {
	case p == 0 && n > 0:
		return "<1"
	case p == 100 && n < all:
		return ">99"
	default:
		return strconv.FormatInt(p, 10)
	}
}

// percentiles are those that are told, in percent.
var percentiles = [...]int{50, 90, 99}

func latencies(h *stats.Histogram) (cells []string) {
	if h.Count == 0 {
		return []string{none, none, none, none, none}
	}
	cells = append(cells, duration(h.Min))
	for _, p := range percentiles {
		cells = append(cells, duration(h.Percentile(p)))
	}
	return append(cells, duration(h.Max))
}

func duration(ns int64) string { return string(field.AppendDuration(nil, ns)) }

// maxNamed is how many names stand in a row.
const maxNamed = 4

// names is a list as in "NFS4ERR_NOENT 34, NFS4ERR_EXIST 2, others 5".
func names(n *stats.Names) string {
	list, others := n.List()
	var b []byte
	for i, e := range list {
		if i >= maxNamed {
			others += e.Count
			continue
		}
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, e.Name...)
		b = append(b, ' ')
		b = strconv.AppendInt(b, e.Count, 10)
	}
	if others > 0 {
		b = append(b, ", others "...)
		b = strconv.AppendInt(b, others, 10)
	}
	return string(b)
}

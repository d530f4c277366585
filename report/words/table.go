package words

import (
	"slices"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// A Grid is a table whose rows are all known before the first is printed, so
// that its columns are as wide as they need to be.
type Grid struct {
	Columns []Heading
	Rows    [][]string
}

// A Heading is that of a column of a grid, whose numbers are flush right. Where there is no room
// for all, those of the greatest rank are left out first, and those of rank 0 never.
type Heading struct {
	Name  string
	Right bool
	Rank  int
}

// drop leaves a column out.
func (g *Grid) drop(name string) {
	at := slices.IndexFunc(g.Columns, func(c Heading) bool { return c.Name == name })
	g.Columns = slices.Delete(g.Columns, at, at+1)
	for i := range g.Rows {
		g.Rows[i] = slices.Delete(g.Rows[i], at, at+1)
	}
}

// Within is the grid without the columns for which so many characters are too few, where gap
// stand between two; the last column may be cut, but has as many as least.
func (g *Grid) Within(room, gap, least int) *Grid {
	last := len(g.Columns) - 1
	widths := make(map[int]int) // of a rank
	for i, c := range g.Columns[:last] {
		width := Columns(c.Name)
		for _, row := range g.Rows {
			width = max(width, Columns(row[i]))
		}
		widths[c.Rank] += width + gap
	}
	most := 0
	for room -= widths[0]; most < len(g.Columns) && room-widths[most+1] >= least; most++ {
		room -= widths[most+1]
	}
	within := &Grid{Columns: slices.Clone(g.Columns), Rows: make([][]string, len(g.Rows))}
	for i, row := range g.Rows {
		within.Rows[i] = slices.Clone(row)
	}
	for _, c := range g.Columns[:last] {
		if c.Rank > most {
			within.drop(c.Name)
		}
	}
	return within
}

// OperationsGrid has a row for each operation that an order lists of a table. It returns how many it
// does not list.
func OperationsGrid(of *stats.Table, order stats.Order) (g *Grid, more int) {
	rows, more := of.Listed(order)
	g = &Grid{Columns: []Heading{
		{Name: "Operation"}, {Name: "Calls", Right: true}, {Name: colReplies, Right: true, Rank: 2}, {Name: colUnanswered, Right: true},
		{Name: colIncomplete, Right: true, Rank: 1}, {Name: "Errors", Right: true},
		{Name: "Min", Right: true, Rank: 3}, {Name: "Median", Right: true}, {Name: "p90", Right: true, Rank: 2}, {Name: "p99", Right: true}, {Name: "Max", Right: true},
		{Name: "Call [B]", Right: true, Rank: 4}, {Name: "Reply [B]", Right: true, Rank: 4},
		{Name: "RDMA Read [B]", Right: true, Rank: 5}, {Name: "Write [B]", Right: true, Rank: 5},
		{Name: "Call i/c/l [%]", Right: true, Rank: 6}, {Name: "Reply i/c/l [%]", Right: true, Rank: 6},
	}}
	for _, name := range phaseColumns() {
		g.Columns = append(g.Columns, Heading{Name: name, Right: true, Rank: 7})
	}
	g.Columns = append(g.Columns, Heading{Name: "Errors by name"})
	answered, complete := true, true
	var spent stats.Phases
	for _, o := range rows {
		answered = answered && o.Calls == o.Replies && o.Unanswered == 0
		complete = complete && o.Incomplete == 0
		row := []string{
			RowName(&o.Subject, o.Name), Number(o.Calls), Number(o.Replies), Number(o.Unanswered),
			Number(o.Incomplete), Number(o.Failed),
		}
		row = append(append(row, latencies(&o.Latency)...),
			Number(int64(o.CallBytes)), Number(int64(o.ReplyBytes)),
			Number(int64(o.ReadBytes)), Number(int64(o.WriteBytes)),
			shares(&o.CallTransfers), shares(&o.ReplyTransfers))
		row = append(row, phases(&o.Parts)...)
		g.Rows = append(g.Rows, append(row, Names(&o.Errors)))
		spent.Add(&o.Parts)
	}
	for x, name := range phaseColumns() {
		if spent[x] == 0 {
			g.drop(name)
		}
	}
	if answered {
		g.drop(colReplies)
		g.drop(colUnanswered)
	}
	if complete {
		g.drop(colIncomplete)
	}
	return g, more
}

// Columns that are there only where they tell something.
const (
	colReplies    = "Replies"
	colUnanswered = "No reply"
	colIncomplete = "Incomplete"
)

// shares is how messages travelled, in percent: "75/25/0" are inline, chunked
// and long.
func shares(t *stats.Transfers) string {
	all := t.Total()
	if all == 0 {
		return None
	}
	return percent(t.Inline, all) + "/" + percent(t.Chunked, all) + "/" + percent(t.Long, all)
}

func latencies(h *latency.Histogram) (cells []string) {
	if h.Count == 0 {
		return []string{None, None, None, None, None}
	}
	cells = append(cells, duration(h.Min))
	for _, p := range stats.Percentiles {
		cells = append(cells, duration(h.Percentile(p)))
	}
	return append(cells, duration(h.Max))
}

// maxNamed is how many names stand in a row.
const maxNamed = 4

// Names is a list as in "NFS4ERR_NOENT 34, NFS4ERR_EXIST 2, others 5".
func Names(n *stats.Names) string {
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

// RowName is what a row of a table is called.
func RowName(s *stats.Subject, name string) string {
	if s.Reverse && s.Known && rpc.ProgramName(s.Program) != "" && s.Program != rpc.ProgramNFSCallback {
		return name + " (to client)"
	}
	return name
}

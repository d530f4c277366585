package rows

import (
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/words"
)

// operations prints the operations of a connection, or of all.
func (s *Stats) operations(of *stats.Table) {
	g, more := words.OperationsGrid(of, s.order)
	if len(g.Rows) == 0 {
		return
	}
	t := s.t
	t.Grid(g)
	if more > 0 {
		t.more()
		t.B = append(t.B, "… "...)
		t.B = words.AppendCount(t.B, int64(more), "more operation")
		t.endFit()
	}
}

// parts prints the operations inside COMPOUNDs.
func (t *Text) parts(rows []*stats.Part) {
	g := words.Grid{Columns: []words.Heading{
		{Name: "Operation"}, {Name: "Calls", Right: true}, {Name: "Results", Right: true},
		{Name: "Errors", Right: true}, {Name: "Not reached", Right: true}, {Name: "Errors by name"},
	}}
	for _, p := range rows {
		g.Rows = append(g.Rows, []string{
			words.RowName(&p.Subject, p.Name), words.Number(p.Calls), words.Number(p.Replies),
			words.Number(p.Errors.Total), words.Number(p.NotReached), words.Names(&p.Errors),
		})
	}
	t.Grid(&g)
}

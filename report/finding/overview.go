package finding

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// An Overview is a row for each rule, case and severity that was found on any connection. It
// has as many as there are rules, whatever the capture.
type Overview struct {
	rows map[rowKey]*OverviewRow
}

type rowKey struct {
	id       string
	severity Severity
	status   string // of what was refused, if it is about that
}

func rowKeyOf(f *Finding) rowKey { return rowKey{f.ID(), f.Severity, f.Status} }

// An OverviewRow is what was found of one case of a rule on all connections.
type OverviewRow struct {
	ID       string
	Severity Severity
	Title    string
	// Connections is on how many it was found, Count how often.
	Connections, Count int64
	// First is the earliest frame that shows it, at FirstTime.
	First     flow.Ref
	FirstTime int64
	// Worst is the message of the worst case: the call that took longest, else what was
	// found most often on a connection.
	Worst string
	// Usual says that Linux peers have such notes.
	Usual bool
	// Refused says that it is about calls that failed: refused, or never answered.
	Refused bool

	rank         int
	took, counts int64 // of the worst
	last         int   // the connection that was counted last
}

// Add adds a finding. Those of a connection come one after the other.
func (o *Overview) Add(f *Finding) {
	if o.rows == nil {
		o.rows = make(map[rowKey]*OverviewRow)
	}
	key := rowKeyOf(f)
	r := o.rows[key]
	if r == nil {
		r = &OverviewRow{ID: f.ID(), Severity: f.Severity, Title: f.Rule.Title, First: f.Start().Ref, FirstTime: f.Start().Time, rank: Rank(f), Usual: f.Usual(), Refused: refused(f)}
		o.rows[key] = r
	}
	if c := f.Connection; c != nil && c.ID != r.last {
		r.last = c.ID
		r.Connections++
	}
	if at := f.Start(); at.Time != 0 && at.Time < r.FirstTime {
		r.First, r.FirstTime = at.Ref, at.Time
	}
	r.Count += f.Count
	if f.Took > r.took || f.Took == r.took && f.Count > r.counts {
		r.Worst, r.took, r.counts = f.Message, f.Took, f.Count
	}
}

// refused reports whether a finding is about calls that failed.
func refused(f *Finding) bool {
	return f.Severity > Note && (f.Status != "" || slices.Contains([]string{"RPC-001", "RPC-005", "RPC-006", "RPC-009", "SYM-005"}, f.Rule.ID))
}

// Rows are all of them, what hurts most first.
func (o *Overview) Rows() []*OverviewRow {
	list := make([]*OverviewRow, 0, len(o.rows))
	for _, r := range o.rows {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *OverviewRow) int {
		return cmp.Or(
			cmp.Compare(b.rank, a.rank), cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Connections, a.Connections),
			cmp.Compare(a.ID, b.ID), cmp.Compare(a.FirstTime, b.FirstTime), cmp.Compare(a.Worst, b.Worst),
		)
	})
	return list
}

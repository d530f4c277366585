package rows

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/listing"
)

// A begun row is one that is being written.
type begun struct {
	kept kept
	at   int // where it begins, if it is kept
}

// beginRow begins a row that the filter let through, and reports whether it is listed: the order,
// if there is one, was given what it is about. Its connection is told before, unless it was.
func (t *Text) beginRow(c *dissect.Connection) (r begun, listed bool) {
	if t.sorted != nil {
		t.selection.Row(c)
		if r.kept, listed = t.sorted.next(); listed {
			t.heading()
			r.at = len(t.B)
		}
		return r, listed
	}
	if t.opts.Limit > 0 {
		if t.rows == t.opts.Limit {
			return r, false
		}
		t.rows++
	}
	if t.selection.Row(c) {
		t.Opening(c)
	}
	return r, true
}

// endRow ends it.
func (t *Text) endRow(r begun) {
	if t.sorted != nil {
		t.sorted.addRow(r.kept, t.B[r.at:])
		t.B = t.B[:r.at]
	}
}

// SortedMost is how many rows are listed in an order of their own where nobody says how many: all
// of them are kept until the end.
const SortedMost = 1000

// newSorted is what keeps rows, nil if they have no order of their own.
func newSorted(o *listing.Options) *sorted {
	if o.Order == nil {
		return nil
	}
	most := o.Limit
	if most == 0 {
		most = SortedMost
	}
	return &sorted{by: o.Order, most: most}
}

// KeptBack is how many rows are not listed, since only SortedMost are where nobody says how many.
func (t *Text) KeptBack() int64 {
	if t.opts.Limit > 0 {
		return 0
	}
	return t.selection.Count() - t.shown()
}

// shown is how many rows are listed of those that a filter let through.
func (t *Text) shown() int64 {
	n := t.selection.Count()
	if t.sorted != nil {
		return min(n, int64(t.sorted.most))
	}
	return n
}

package report

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report/page"
)

// listColumns are the columns of lists: first those of arguments and results, which
// are gone over once for all of them, then the others.
type listColumns struct {
	columns   []page.List
	arguments *query.Arguments
	others    []listColumn
	values    []filter.Numbers // one for each column
	lists     [][]uint64
}

// A listColumn is a column of lists of what is not in arguments and results.
type listColumn struct {
	values func(r *dissect.RPC, to *filter.Numbers)
	runs   bool
	pairs  []uint64 // that the runs of the last row were made into
}

// newListColumns are those of the fields.
func newListColumns(sets *query.Sets, fields []pageField) *listColumns {
	l := new(listColumns)
	var arguments []string
	var others []page.List
	for _, p := range fields {
		if p.cell != "list" && p.cell != "text" && p.cell != "runs" {
			continue
		}
		column := page.List{Name: p.column, Differences: p.near}
		if values := sets.Numbers(p.name); values != nil {
			l.others = append(l.others, listColumn{values: values, runs: p.cell == "runs"})
			others = append(others, column)
		} else {
			arguments = append(arguments, p.name)
			l.columns = append(l.columns, column)
		}
	}
	l.arguments = sets.Arguments(arguments...)
	l.columns = append(l.columns, others...)
	l.values = make([]filter.Numbers, len(l.columns))
	for i := range arguments {
		// One more than the page keeps: so it knows.
		l.values[i].Most = page.MostInList + 1
	}
	l.lists = make([][]uint64, len(l.columns))
	return l
}

// number makes texts numbers.
func (l *listColumns) number(text func([]byte) uint64) {
	for i := range l.values {
		l.values[i].Text = text
	}
}

// keys are the fields of texts that the columns are of.
func (l *listColumns) keys() []string {
	if l.arguments == nil {
		return nil
	}
	return l.arguments.Keys()
}

// of lists the values of an RPC, valid until the next.
func (l *listColumns) of(r *dissect.RPC) [][]uint64 {
	if len(l.columns) == 0 {
		return nil
	}
	l.arguments.List(r, l.values)
	first := len(l.columns) - len(l.others)
	for i := range first {
		l.lists[i] = once(l.values[i].List)
	}
	for i := range l.others {
		o, n := &l.others[i], &l.values[first+i]
		o.values(r, n)
		if o.runs {
			o.pairs = appendRuns(o.pairs[:0], n.List)
			l.lists[first+i] = o.pairs
		} else {
			l.lists[first+i] = once(n.List)
		}
	}
	return l.lists
}

// once leaves of each value the first, in place: how often a value is there makes no
// difference to a filter. It does not look far back, and not into a list that is cut.
func once(list []uint64) []uint64 {
	const back = 64
	if len(list) > page.MostInList {
		return list
	}
	kept := list[:0]
	for _, v := range list {
		if !slices.Contains(kept[max(0, len(kept)-back):], v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// appendRuns appends the first and the last of numbers that follow one another, or are
// the same.
func appendRuns(pairs, list []uint64) []uint64 {
	for _, v := range list {
		switch n := len(pairs); {
		case n > 0 && pairs[n-1]+1 == v:
			pairs[n-1] = v
		case n == 0 || pairs[n-1] != v:
			pairs = append(pairs, v, v)
		}
	}
	return pairs
}

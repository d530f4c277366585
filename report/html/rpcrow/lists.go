package rpcrow

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/page/columns"
)

// listColumns are the columns of lists: first those of arguments and results, which
// are gone over once for all of them, then the others.
type listColumns struct {
	columns   []columns.List
	arguments *query.Arguments
	others    []listColumn
	values    []filter.Numbers // one for each column
	lists     [][]uint64
	texts     []bool // columns whose values are texts
}

// A listColumn is a column of lists of what is not in arguments and results.
type listColumn struct {
	values func(r *dissect.RPC, to *filter.Numbers)
	runs   bool
	pairs  []uint64 // that the runs of the last row were made into
}

// newListColumns are those of the fields.
func newListColumns(sets *query.Sets, fields []query.Field) *listColumns {
	l := new(listColumns)
	var arguments []string
	var others []columns.List
	for i := range fields {
		f := &fields[i]
		if f.Cell.Form != query.List && f.Cell.Form != query.TextList && f.Cell.Form != query.Runs {
			continue
		}
		column := columns.List{Name: f.Cell.Column, Differences: f.Cell.Near}
		if values := sets.Numbers(f.Name); values != nil {
			l.others = append(l.others, listColumn{values: values, runs: f.Cell.Form == query.Runs})
			others = append(others, column)
		} else {
			arguments = append(arguments, f.Name)
			l.columns = append(l.columns, column)
			l.texts = append(l.texts, f.Cell.Form == query.TextList)
		}
	}
	l.arguments = sets.Arguments(arguments...)
	l.columns = append(l.columns, others...)
	l.values = make([]filter.Numbers, len(l.columns))
	for i := range arguments {
		// One more than the page keeps: so it knows.
		l.values[i].Most = columns.MostInList + 1
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
		if l.lists[i] = l.values[i].List; !l.texts[i] { // of texts it is not known yet which are the same
			l.lists[i] = once(l.values[i].List)
		}
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

// numbered puts the numbers of texts in their places, which are those of a queue from one on.
func (l *listColumns) numbered(lists [][]uint64, from int, numbers []uint64) {
	for i, texts := range l.texts {
		if !texts {
			continue
		}
		for k, at := range lists[i] {
			lists[i][k] = numbers[at-uint64(from)]
		}
		lists[i] = once(lists[i])
	}
}

// once leaves of each value the first, in place: how often a value is there makes no
// difference to a filter. It does not look far back, and not into a list that is cut.
func once(list []uint64) []uint64 {
	const back = 64
	if len(list) > columns.MostInList {
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

package stats

import (
	"cmp"
	"slices"
)

const (
	// maxOperations is how many operations one table tells apart. All of NFS has
	// fewer.
	maxOperations = 256
	// maxRows bounds the rows of all connections that are open, together. A row
	// takes one to five kilobytes in practice, and 23 if its latencies were of
	// every order of magnitude.
	maxRows = 2048
)

// A Table has a row for each operation.
type Table struct {
	// Others counts the RPCs that have no row, nil if all have one.
	Others *Operation

	rows map[Subject]*Operation
}

// Rows are the operations, the most called first.
func (t *Table) Rows() []*Operation {
	list := make([]*Operation, 0, len(t.rows))
	for _, o := range t.rows {
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b *Operation) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name), a.compare(&b.Subject))
	})
	return list
}

// Len is how many rows it has.
func (t *Table) Len() int { return len(t.rows) }

// compare orders subjects whose names are the same.
func (s *Subject) compare(o *Subject) int {
	return cmp.Or(
		cmp.Compare(s.Program, o.Program), cmp.Compare(s.Version, o.Version), cmp.Compare(s.Procedure, o.Procedure),
		cmp.Compare(s.GSS, o.GSS), cmp.Compare(number(s.Reverse), number(o.Reverse)), cmp.Compare(s.Operation, o.Operation),
	)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// operationOf makes a row.
func (t *Table) operationOf(s Subject, name string) *Operation {
	if t.rows == nil {
		t.rows = make(map[Subject]*Operation)
	}
	o := &Operation{Subject: s, Name: name}
	t.rows[s] = o
	return o
}

// others is the row of what has none of its own.
func (t *Table) others() *Operation {
	if t.Others == nil {
		t.Others = &Operation{Name: "others"}
	}
	return t.Others
}

// merge adds the rows of another, the most called first: not all may have room.
func (t *Table) merge(from *Table) {
	for _, o := range from.Rows() {
		row := t.rows[o.Subject]
		switch {
		case row != nil:
		case len(t.rows) < maxOperations:
			row = t.operationOf(o.Subject, o.Name)
		default:
			row = t.others()
		}
		row.merge(o)
	}
}

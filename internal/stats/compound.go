package stats

import (
	"cmp"
	"slices"
)

// A Part is what is counted of one operation inside COMPOUNDs.
type Part struct {
	Subject
	// Name is what a person calls it: "NFS4 GETATTR".
	Name string
	// Calls are the COMPOUNDs' requests for it, Replies the results.
	Calls, Replies int64
	// NotReached are the calls that were not carried out, since an operation
	// before it failed (RFC 8881, section 16.2).
	NotReached int64
	// Errors are the results whose status is not success, by its name.
	Errors Names
}

// Parts has a row for each operation inside COMPOUNDs.
type Parts struct {
	// Others counts those that have no row, nil if all have one.
	Others *Part

	rows map[Subject]*Part
}

// Rows are the operations, the most called first.
func (p *Parts) Rows() []*Part {
	list := make([]*Part, 0, len(p.rows))
	for _, o := range p.rows {
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b *Part) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name), a.compare(&b.Subject))
	})
	return list
}

// addFact counts the operations of an RPC. Procedures that are no
// COMPOUND have none. Results that were not asked for are not counted: the reply
// is no answer to the call.
func (p *Parts) addFact(f *Fact) {
	s := f.subject
	if !s.Known {
		return
	}
	failed := false // the operation before
	for i := range f.ops {
		op := &f.ops[i]
		if op.Args < 0 {
			return
		}
		s.Operation = op.Name
		row := p.rows[s]
		if row == nil {
			row = p.partOf(s, f.part(op))
		}
		row.Calls++
		switch {
		case op.Result < 0:
			if failed {
				row.NotReached++
			}
			continue
		case op.Status != "" && !op.OK:
			row.Errors.addName(op.Status, 1)
			failed = true
		}
		row.Replies++
	}
}

// partOf makes the row of an operation, if there is room for it.
func (p *Parts) partOf(s Subject, name string) *Part {
	if len(p.rows) >= maxOperations {
		if p.Others == nil {
			p.Others = &Part{Name: "others"}
		}
		return p.Others
	}
	if p.rows == nil {
		p.rows = make(map[Subject]*Part)
	}
	row := &Part{Subject: s, Name: name}
	p.rows[s] = row
	return row
}

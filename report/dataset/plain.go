package dataset

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/record"
)

// A Plain writes rows alone, where neither findings nor connections are wanted: there is nothing to
// check then.
type Plain struct {
	*record.JSON
	d *Dataset
}

// Plain is what writes rows alone.
func (d *Dataset) Plain() Plain { return Plain{record.NewJSON(d, false, d.shown()), d} }

// Part returns what a shard writes rows with.
func (p Plain) Part(by *dissect.Dissector) dissect.Part {
	part := p.Draft(by)
	part.Out = newRows(p.d.o.Wanted, len(p.d.o.Names), part.B, part.Rows.Leave)
	return part
}

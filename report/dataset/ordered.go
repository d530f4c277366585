package dataset

import "github.com/parquet-go/parquet-go"

// An ordered is a group of columns in our order; those of the library are in that of their names.
type ordered struct {
	parquet.Group
	order []*node
}

func newOrdered(fields []*node) ordered {
	g := ordered{Group: make(parquet.Group, len(fields))}
	for _, n := range fields {
		if !n.again {
			g.Group[n.name] = n.parquet()
			g.order = append(g.order, n)
		}
	}
	return g
}

// Fields are the columns, in order. It implements parquet.Node.
func (g ordered) Fields() []parquet.Field {
	named := make(map[string]parquet.Field, len(g.order))
	for _, f := range g.Group.Fields() {
		named[f.Name()] = f
	}
	list := make([]parquet.Field, len(g.order))
	for i, n := range g.order {
		list[i] = named[n.name]
	}
	return list
}

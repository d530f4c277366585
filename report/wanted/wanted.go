package wanted

import (
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Compile says which findings match an expression, "" for all, and are of a place, nil for any.
// Times count from a start. What is wrong with the expression is a *filter.Error. Without either
// it returns nil: all are.
func Compile(expr string, place *query.Place, start *query.Start) (func(f *finding.Finding) bool, error) {
	if expr == "" && place == nil {
		return nil, nil
	}
	list := fields(start)
	set, err := filter.NewSet(asked(list)...)
	if err != nil {
		return nil, err
	}
	compiled, err := set.Compile(expr)
	if err != nil {
		return nil, err
	}
	r := &record{fields: list}
	return func(f *finding.Finding) bool {
		if place != nil && !of(place, f) {
			return false
		}
		r.finding = f
		return compiled.Match(r)
	}, nil
}

// Fields are those that an expression may ask about.
func Fields() []filter.Field { return asked(fields(new(query.Start))) }

func asked(list []field) (fields []filter.Field) {
	for i := range list {
		fields = append(fields, list[i].Field)
	}
	return fields
}

// of reports whether a finding is of a place.
func of(p *query.Place, f *finding.Finding) bool {
	when := span(f)
	return p.HasConnection(f.Connection) && p.HasTime(when[0], when[1])
}

// A record is a finding as a filter.Record; it is used again for the next.
type record struct {
	fields  []field
	finding *finding.Finding
}

// Values implements filter.Record.
func (r *record) Values(field int, to *filter.Values) { r.fields[field].give(r.finding, to) }

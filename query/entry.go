package query

import "github.com/rdmacap/rdmacap/filter"

// An entry is a field and how rows of type T give its values.
type entry[T any] struct {
	filter.Field
	give func(row T, to *filter.Values)
}

// A list is the fields of a level, in the order in which they are offered.
type list[T any] []entry[T]

func (l *list[T]) add(f filter.Field, give func(T, *filter.Values)) {
	*l = append(*l, entry[T]{f, give})
}

// mapped is a field of rows of type U, that have values of a row of type T: as many
// as each hands on.
func mapped[T, U any](e entry[T], each func(row U, give func(T, *filter.Values), to *filter.Values)) entry[U] {
	give := e.give
	return entry[U]{e.Field, func(row U, to *filter.Values) { each(row, give, to) }}
}

// fields are the fields of a list.
func (l list[T]) fields() []filter.Field {
	fields := make([]filter.Field, len(l))
	for i := range l {
		fields[i] = l[i].Field
	}
	return fields
}

// A record is a row as filters ask it; it is used again for the next row.
type record[T any] struct {
	list list[T]
	row  T
}

// Values gives the values of the field with that index.
func (r *record[T]) Values(field int, to *filter.Values) { r.list[field].give(r.row, to) }

package query

import (
	"time"

	"github.com/rdmacap/rdmacap/filter"
)

// one adds a field of which a row has one value at most: a number of which filters ask by its kind.
func (l *list[T]) one(f filter.Field, of func(T) (uint64, bool)) *Field {
	*l = append(*l, entry[T]{Field: Field{Field: f}, number: of, give: giving(f.Kind, of)})
	return &(*l)[len(*l)-1].Field
}

// giving gives the number to filters.
func giving[T any](kind filter.Kind, of func(T) (uint64, bool)) func(T, *filter.Values) {
	take := (*filter.Values).Uint
	switch kind {
	case filter.Bool:
		take = func(to *filter.Values, n uint64) { to.Bool(n != 0) }
	case filter.Time:
		take = func(to *filter.Values, n uint64) { to.Time(int64(n)) }
	case filter.Duration:
		take = func(to *filter.Values, n uint64) { to.Duration(time.Duration(n)) }
	}
	return func(row T, to *filter.Values) {
		if n, ok := of(row); ok {
			take(to, n)
		}
	}
}

// What follows adds what only records have.

// member adds a number, by its kind.
func (l *list[T]) member(m Member, kind filter.Kind, of func(T) (uint64, bool)) *Field {
	*l = append(*l, entry[T]{Field: Field{Field: filter.Field{Kind: kind}, Member: m}, number: of})
	return &(*l)[len(*l)-1].Field
}

// count adds a number that every row has.
func (l *list[T]) count(m Member, of func(T) int64) {
	l.member(m, filter.Int, func(row T) (uint64, bool) { return uint64(of(row)), true })
}

// flag adds a truth.
func (l *list[T]) flag(m Member, of func(T) bool) {
	l.member(m, filter.Bool, func(row T) (uint64, bool) { return truth(of(row)), true })
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// string adds words of this program, which JSON need not escape; "" is no value.
func (l *list[T]) string(m Member, of func(T) string) {
	*l = append(*l, entry[T]{Field: Field{Field: filter.Field{Kind: filter.String}, Member: m}, text: of})
}

// structure adds what has members of its own, or is written in a way of its own: package record
// writes it, here is where it stands and what it means.
func (l *list[T]) structure(m Member) {
	*l = append(*l, entry[T]{Field: Field{Member: m}})
}

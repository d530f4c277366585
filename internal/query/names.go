package query

import (
	"iter"

	"github.com/rdmacap/rdmacap/filter"
)

// An enum is a type whose values say their names.
type enum interface {
	~uint8 | ~uint16 | ~uint32
	String() string
}

// named are the names of some values of a type.
func named[E enum](values ...E) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for _, v := range values {
			if !yield(v.String(), uint64(v)) {
				return
			}
		}
	}
}

// upTo are the values of a type from 0 to the last.
func upTo[E enum](last E) (values []E) {
	for v := E(0); v <= last; v++ {
		values = append(values, v)
	}
	return values
}

// A name is a name of a value.
type name struct {
	text  string
	value uint64
}

// these are names that stand in a list.
func these(names []name) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for _, n := range names {
			if !yield(n.text, n.value) {
				return
			}
		}
	}
}

// The values of the field direction.
const (
	toServer = 0
	toClient = 1
)

// addDirection adds the field of that name. Of is not ok for a row without a direction.
func addDirection[T any](l *list[T], doc string, of func(T) (server, ok bool)) *Field {
	return l.one(filter.Field{Name: "direction", Kind: filter.Enum, Doc: doc,
		Names: these([]name{{"to_server", toServer}, {"to_client", toClient}})},
		func(row T) (uint64, bool) {
			server, ok := of(row)
			return truth(!server), ok
		}).
		spelled(func(v uint64) string {
			if v == toServer {
				return "to_server"
			}
			return "to_client"
		})
}

package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// Numbers returns what lists the values that RPCs have of a field, as filters see
// them, into to; nil if there is no such field, or if its values are no numbers, or
// are in arguments and results.
func (s *Sets) Numbers(name string) func(r *dissect.RPC, to *filter.Numbers) {
	for i := range s.rpcs {
		e := &s.rpcs[i]
		if e.Name != name {
			continue
		}
		switch e.Kind {
		case filter.Uint, filter.Enum, filter.Bool:
			return func(r *dissect.RPC, to *filter.Numbers) { e.give(r, to.Of()) }
		}
	}
	return nil
}

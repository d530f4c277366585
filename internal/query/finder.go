package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
)

// A finder looks for the headers of a table in a frame and gives the value of
// one of the table's fields in each.
type finder func(v *dissect.FrameView, f *field.Field, to *filter.Values)

package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/filter"
)

// A valueOf gives the value of a marked field that was met in a body.
type valueOf func(b *dissect.Body, e *walk.Event, to *filter.Values)

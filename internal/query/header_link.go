package query

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
)

// linkHeader finds the headers below the transport, which are read again from the
// bytes: nobody keeps them. What lies within the TCP
// options only the tree of the headers knows, which has to be built: that takes
// some microseconds and allocates.
func linkHeader(t *field.Table) finder {
	if strings.HasPrefix(t.Key, "tcp.options.") {
		return func(v *dissect.FrameView, f *field.Field, to *filter.Values) {
			h := v.Headers()
			inNodes(h.Nodes(), t.Key, v.Frame.Data, f, to)
		}
	}
	return func(v *dissect.FrameView, f *field.Field, to *filter.Values) {
		data, h := v.Frame.Data, v.Headers()
		for i := 0; ; i++ {
			table, start, end, ok := h.At(i)
			if !ok {
				return
			}
			if end = min(end, len(data)); table == t && start < end {
				to.Header(f, data[start:end])
			}
		}
	}
}

// inNodes gives a field of each header with that key in a tree.
func inNodes(nodes []field.Node, key string, data []byte, f *field.Field, to *filter.Values) {
	for i := range nodes {
		n := &nodes[i]
		if n.Key == key {
			to.Header(f, data[n.Start:n.End])
		}
		inNodes(n.Children, key, data, f, to)
	}
}

package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
)

// addEither adds, of headers with a source and a destination, fields that have both.
func addEither(l *list[*dissect.FrameView]) {
	for _, e := range [...]struct{ table, source, destination, name, doc string }{
		{"eth", "src", "dst", "eth.addr", "source or destination MAC address"},
		{"ipv6", "src", "dst", "ipv6.addr", "source or destination IPv6 address"},
		{"udp", "srcport", "dstport", "udp.port", "source or destination UDP port"},
		{"tcp", "srcport", "dstport", "tcp.port", "source or destination TCP port"},
	} {
		for _, h := range headers() {
			if h.table.Key != e.table {
				continue
			}
			var of filter.Field
			var at [2]*field.Field
			for i, f := range filter.Fields(h.table) {
				switch h.table.Fields[i].Key {
				case e.source:
					of, at[0] = f, &h.table.Fields[i]
				case e.destination:
					at[1] = &h.table.Fields[i]
				}
			}
			of.Name, of.Doc = e.name, e.doc
			l.addField(of, func(v *dissect.FrameView, to *filter.Values) {
				h.find(v, at[0], to)
				h.find(v, at[1], to)
			})
		}
	}
}

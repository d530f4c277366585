package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/filter"
)

// addEnds adds the connection and its two ends. Of says also which end sent the
// message, or the call.
func addEnds[T any](l *list[T], of func(T) (*dissect.Connection, flow.End)) {
	l.addField(filter.Field{Name: "connection", Kind: filter.Uint, Doc: "number of its connection"},
		func(row T, to *filter.Values) {
			c, _ := of(row)
			to.Uint(uint64(c.ID))
		}).
		cell(column("connection"))
	l.addField(filter.Field{Name: "ip.addr", Kind: filter.Address, Doc: "address of either end: IPv4 or IPv6 address, or GID"},
		func(row T, to *filter.Values) {
			c, _ := of(row)
			for i := range c.Ends {
				to.Addr(c.Ends[i].Addr.IP())
			}
		}).cell(column("connection.addresses"))
	l.addField(filter.Field{Name: "ip.src", Kind: filter.Address, Doc: "address of the end that sent it, of an RPC the call"},
		func(row T, to *filter.Values) {
			c, from := of(row)
			to.Addr(c.Ends[from].Addr.IP())
		})
	l.addField(filter.Field{Name: "ip.dst", Kind: filter.Address, Doc: "address of the other end"},
		func(row T, to *filter.Values) {
			c, from := of(row)
			to.Addr(c.Ends[from.Peer()].Addr.IP())
		})
	addRoles(l, func(row T) *dissect.Connection {
		c, _ := of(row)
		return c
	})
	l.addField(filter.Field{Name: "port", Kind: filter.Uint, Doc: "port of either end, of the IP CM service or of TCP"},
		func(row T, to *filter.Values) {
			c, _ := of(row)
			givePorts(c, to)
		}).cell(column("connection.ports"))
	l.addField(filter.Field{Name: "tcp.port", Kind: filter.Uint, Doc: "port of either end over TCP"},
		func(row T, to *filter.Values) {
			if c, _ := of(row); c.IWARP() {
				givePorts(c, to)
			}
		})
}

func givePorts(c *dissect.Connection, to *filter.Values) {
	for i := range c.Ends {
		if p := c.Ends[i].Port; p != 0 {
			to.Uint(uint64(p))
		}
	}
}

// addRoles adds the addresses of the two ends by what they are. A row may have no
// connection.
func addRoles[T any](l *list[T], of func(T) *dissect.Connection) {
	l.addField(filter.Field{Name: "client", Kind: filter.Address, Doc: "address of its connection's client"},
		func(row T, to *filter.Values) {
			if c := of(row); c != nil {
				to.Addr(c.Client().Addr.IP())
			}
		})
	l.addField(filter.Field{Name: "server", Kind: filter.Address, Doc: "address of its connection's server"},
		func(row T, to *filter.Values) {
			if c := of(row); c != nil {
				to.Addr(c.Server().Addr.IP())
			}
		})
}

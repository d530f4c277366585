package own

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/filter"
)

// A connectionField is what a condition may ask of a connection.
type connectionField struct {
	filter.Field
	give func(c *dissect.Connection, to *filter.Values)
}

// connectionSet are the fields of connections.
func connectionSet() (*filter.Set, []connectionField, error) {
	list := []connectionField{
		{filter.Field{Name: "ip.addr", Kind: filter.Address, Doc: "address of either end"},
			func(c *dissect.Connection, to *filter.Values) {
				for i := range c.Ends {
					to.Addr(c.Ends[i].Addr.IP())
				}
			}},
		{filter.Field{Name: "port", Kind: filter.Uint, Doc: "port of either end"},
			func(c *dissect.Connection, to *filter.Values) {
				for i := range c.Ends {
					if p := c.Ends[i].Port; p != 0 {
						to.Uint(uint64(p))
					}
				}
			}},
		{filter.Field{Name: "connection.transport", Kind: filter.String, Doc: "RoCEv2, RoCEv1, InfiniBand or iWARP"},
			func(c *dissect.Connection, to *filter.Values) { to.String(c.Transport.String()) }},
		{filter.Field{Name: "connection.captured", Kind: filter.Bool, Doc: "the capture has its setup"},
			func(c *dissect.Connection, to *filter.Values) { to.Bool(c.Setup != flow.SetupInferred) }},
		{filter.Field{Name: "threshold.to_server", Kind: filter.Uint, Doc: "inline threshold, in bytes, if it is known"},
			func(c *dissect.Connection, to *filter.Values) {
				if t, known := c.Thresholds(); known {
					to.Uint(uint64(t.ToServer))
				}
			}},
		{filter.Field{Name: "threshold.to_client", Kind: filter.Uint, Doc: "the same for what the server sends"},
			func(c *dissect.Connection, to *filter.Values) {
				if t, known := c.Thresholds(); known {
					to.Uint(uint64(t.ToClient))
				}
			}},
	}
	fields := make([]filter.Field, len(list))
	for i := range list {
		fields[i] = list[i].Field
	}
	set, err := filter.NewSet(fields...)
	return set, list, err
}

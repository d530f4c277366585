package rules

import "github.com/rdmacap/rdmacap/capture/link"

// Hosts are two hosts that have connections, in the order of their addresses: which is
// the client is not known of every connection.
type Hosts struct{ A, B link.Addr }

// Hosts are the two hosts of the connection.
func (c *Conn) Hosts() Hosts {
	h := Hosts{c.Ends[0].Addr, c.Ends[1].Addr}
	if h.B.Less(h.A) {
		h.A, h.B = h.B, h.A
	}
	return h
}

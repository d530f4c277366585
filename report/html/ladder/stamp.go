package ladder

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/words"
)

// A Stamp is what ladders and bytes need to know of a connection, which its shard may
// change later.
type Stamp struct {
	client flow.End
	speaks bool // RPC-over-RDMA
	ends   [2]stampedEnd
}

// A stampedEnd is what words.AppendEndpoint names an end by.
type stampedEnd struct {
	addr   link.Addr
	port   uint16
	qpn    uint32
	hasQPN bool
}

// StampOf is that of a connection, as it is now.
func StampOf(c *dissect.Connection) Stamp {
	s := Stamp{client: c.ClientEnd, speaks: c.RPCRDMA()}
	for i := range c.Ends {
		e := &c.Ends[i]
		s.ends[i] = stampedEnd{e.Addr, e.Port, e.QPN, e.HasQPN}
	}
	return s
}

// name is what people call an end.
func (s *Stamp) name(e flow.End) string {
	x := &s.ends[e]
	return string(words.AppendEndpoint(nil, &flow.Endpoint{Addr: x.addr, Port: x.port, QPN: x.qpn, HasQPN: x.hasQPN}))
}

// Speaks reports whether the connection carries RPC-over-RDMA.
func (s *Stamp) Speaks() bool { return s.speaks }

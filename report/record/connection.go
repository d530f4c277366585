package record

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/words"
)

// connection appends the members of a connection record.
func (j *JSON) connection(b *buffer, c *dissect.Connection, final bool) {
	b.number("id", c)
	b.str("transport", c.Transport.String())
	b.textFrom("client", c.Client().Addr.AppendTo)
	b.textFrom("server", c.Server().Addr.AppendTo)
	endpoint(b, "client", c, c.Client())
	endpoint(b, "server", c, c.Server())
	b.str("setup", c.Setup.String())
	b.str("service", c.Service)
	privateData(b, "client_private_data", c.ClientPrivate)
	privateData(b, "server_private_data", c.ServerPrivate)
	if th, known := c.Thresholds(); known {
		b.object("inline_threshold")
		b.int("to_server", int64(th.ToServer))
		b.int("to_client", int64(th.ToClient))
		b.str("source", th.Source.String())
		b.Close('}')
	} else {
		b.null("inline_threshold")
	}
	if c.Version != 0 {
		b.uint("rpcrdma_version", uint64(c.Version))
	} else {
		b.null("rpcrdma_version") // no message was seen yet
	}
	if n, ok := c.Negotiation(); ok {
		negotiation(b, &n)
		characteristics(b, "client_characteristics", c.Characteristics(c.ClientEnd))
		characteristics(b, "server_characteristics", c.Characteristics(c.ClientEnd.Peer()))
	}
	if j.opts.Files > 1 {
		b.int("file", int64(c.First.File))
	}
	b.int("first_frame", c.First.Number)
	b.int("last_frame", c.Last.Number)
	b.str("end", c.Closing.String())
	if c.Closing == flow.Rejected {
		b.str("reject_reason", words.Rejection(c))
	}
	if c.Termination != nil {
		b.str("terminate", c.Termination.String())
		b.str("terminated_by", words.Sender(c, c.TerminatedBy))
	}
	b.int("frames", c.Frames)
	b.int("bytes", c.Octets)
	b.int("rpcs", c.RPCs)
	b.int("retransmissions", c.Retransmissions)
	b.int("lost_in_capture", c.LostInCapture)
	b.int("lost_on_wire", c.LostOnWire)
	b.int("duplicates", c.Duplicates)
	b.int("reordered", c.Reordered)
	b.int("naks", c.NAKs)
	b.int("rnr_naks", c.RNRs)
	b.int("bad_crc", c.BadCRC)
	b.bool("roles_known", c.RolesKnown)
	b.bool("final", final)
}

func endpoint(b *buffer, who string, c *dissect.Connection, e *flow.Endpoint) {
	if e.Port != 0 {
		b.int(who+"_port", int64(e.Port))
	}
	switch {
	case c.IWARP(): // it has no queue pair numbers
	case e.HasQPN:
		b.int(who+"_qpn", int64(e.QPN))
	default:
		b.null(who + "_qpn")
	}
}

func privateData(b *buffer, name string, p *rpcrdma.PrivateData) {
	if p == nil {
		b.null(name)
		return
	}
	b.object(name)
	b.uint("version", uint64(p.Version))
	b.bool("remote_invalidation", p.RemoteInvalidation())
	b.int("send_size", int64(p.SendSize()))
	b.int("receive_size", int64(p.ReceiveSize()))
	b.Close('}')
}

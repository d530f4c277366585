package record

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/words"
)

// connection appends the members of a connection record.
func (j *JSON) connection(b *buffer, c *dissect.Connection, final bool) {
	j.final = final
	members(j, b, j.connections, c, (*JSON).connectionStructure)
}

// connectionStructure appends a member that is more than one value, or not of the connection alone.
func (j *JSON) connectionStructure(b *buffer, name string, c *dissect.Connection) {
	switch name {
	case "id":
		b.number(name, c)
	case "client":
		b.textFrom(name, c.Client().Addr.AppendTo)
	case "server":
		b.textFrom(name, c.Server().Addr.AppendTo)
	case "client_private_data":
		privateData(b, name, c.ClientPrivate)
	case "server_private_data":
		privateData(b, name, c.ServerPrivate)
	case "inline_threshold":
		thresholds(b, name, c)
	case "negotiation":
		negotiation(b, name, c)
	case "client_characteristics":
		characteristics(b, name, c.Characteristics(c.ClientEnd))
	case "server_characteristics":
		characteristics(b, name, c.Characteristics(c.ClientEnd.Peer()))
	case "first_frame":
		if j.opts.Files > 1 {
			b.int("file", int64(c.First.File))
		}
		b.int(name, c.First.Number)
	case "reject_reason":
		b.str(name, words.Rejection(c))
	case "terminated_by":
		b.str(name, words.Sender(c, c.TerminatedBy))
	case "final":
		b.bool(name, j.final)
	}
}

// thresholds appends the inline thresholds of both directions.
func thresholds(b *buffer, name string, c *dissect.Connection) {
	th, known := c.Thresholds()
	if !known {
		b.null(name)
		return
	}
	b.object(name)
	b.int("to_server", int64(th.ToServer))
	b.int("to_client", int64(th.ToClient))
	b.str("source", th.Source.String())
	b.Close('}')
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

package words

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// AppendRange appends the one value that all had, or which there were.
func AppendRange(b []byte, r *stats.Range) []byte {
	switch {
	case r.Count == 0:
		return append(b, "none"...)
	case r.Min == r.Max:
		return strconv.AppendUint(b, uint64(r.Min), 10)
	}
	b = strconv.AppendUint(b, uint64(r.Min), 10)
	b = append(b, " to "...)
	b = strconv.AppendUint(b, uint64(r.Max), 10)
	b = append(b, " (last "...)
	b = strconv.AppendUint(b, uint64(r.Last), 10)
	return append(b, ')')
}

// Receiver names the end that Sends go to.
func Receiver(toServer bool) string {
	if toServer {
		return "server"
	}
	return "client"
}

// AppendThresholds appends the inline thresholds of both directions.
func AppendThresholds(b []byte, th rpcrdma.Thresholds) []byte {
	b = strconv.AppendInt(b, int64(th.ToServer), 10)
	b = append(b, " bytes to server, "...)
	b = strconv.AppendInt(b, int64(th.ToClient), 10)
	b = append(b, " to client ("...)
	b = append(b, th.Source.String()...)
	return append(b, ')')
}

// Invalidation is which ends support remote invalidation, by their private data. In version 2 that
// does not decide: each call permits it or does not.
func Invalidation(c *dissect.Connection) string {
	client := c.ClientPrivate != nil && c.ClientPrivate.RemoteInvalidation()
	server := c.ServerPrivate != nil && c.ServerPrivate.RemoteInvalidation()
	switch {
	case client && server:
		return "supported by both"
	case client:
		return "supported by the client"
	case server:
		return "supported by the server"
	}
	return "supported by neither"
}

// AppendEndpoint appends the address of an end, with its port or queue pair.
func AppendEndpoint(b []byte, e *flow.Endpoint) []byte {
	b = e.Addr.AppendTo(b)
	if e.Port != 0 {
		b = append(b, " port "...)
		b = strconv.AppendUint(b, uint64(e.Port), 10)
	}
	if e.HasQPN {
		b = append(b, " QP "...)
		b = AppendQPN(b, e.QPN)
	}
	return b
}

// Rejection is why the server rejected the connection.
func Rejection(c *dissect.Connection) string {
	if c.IWARP() {
		return "the MPA Reply has the flag R"
	}
	return c.RejectReason.String()
}

// Sender names an end of a connection.
func Sender(c *dissect.Connection, e flow.End) string {
	if c.ToServer(e) {
		return "client"
	}
	return "server"
}

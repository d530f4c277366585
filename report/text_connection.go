package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// connectionMark begins the lines about connections, so that they stand out
// from the rows; connectionMore begins those that go on.
const (
	connectionMark = "── "
	connectionMore = "   "
)

func (t *Text) connectionName(c *dissect.Connection) {
	t.b = append(t.b, connectionMark...)
	t.b = append(t.b, t.style.conn.on...)
	t.b = append(t.b, '#')
	t.place(blank{what: blankNumber, conn: c})
	t.b = append(t.b, t.style.conn.off...)
	t.b = append(t.b, ' ')
}

// connectionStart prints who a connection is between, since when, and what its
// set-up agreed on.
func (t *Text) connectionStart(c *dissect.Connection) {
	t.connectionName(c)
	t.b = append(t.b, c.Transport.String()...)
	t.b = append(t.b, gap...)
	t.b = appendEndpoint(t.b, c.Client())
	t.b = append(t.b, " → "...)
	t.b = appendEndpoint(t.b, c.Server())
	if c.Service != "" {
		t.b = append(t.b, gap...)
		t.b = append(t.b, c.Service...)
	}
	t.endRow()
	t.b = append(t.b, connectionMore...)
	t.b = append(t.b, "from frame "...)
	t.b = append(t.b, c.First.Name(t.opts.Files > 1)...)
	if c.FirstTime != 0 {
		t.b = append(t.b, ", "...)
		t.b = t.clock.append(t.b, c.FirstTime)
	}
	if c.Setup == flow.SetupInferred {
		t.b = append(t.b, "; "...)
		t.b = t.style.odd.append(t.b, "its set-up is not in the capture, so its inline thresholds are not known")
	} else if th, known := c.Thresholds(); known && c.Service == "NFS/RDMA" {
		t.b = append(t.b, "; inline threshold "...)
		t.b = appendThresholds(t.b, th)
		t.b = append(t.b, ", remote invalidation "...)
		t.b = append(t.b, invalidation(c)...)
	}
	t.endRow()
}

// appendThresholds appends the inline thresholds of both directions.
func appendThresholds(b []byte, th rpcrdma.Thresholds) []byte {
	b = strconv.AppendInt(b, int64(th.ToServer), 10)
	b = append(b, " octets to server, "...)
	b = strconv.AppendInt(b, int64(th.ToClient), 10)
	b = append(b, " to client ("...)
	b = append(b, th.Source.String()...)
	return append(b, ')')
}

// invalidation is who takes remote invalidation by its private data. In version 2 that
// does not decide: each call permits it or does not.
func invalidation(c *dissect.Connection) string {
	client := c.ClientPrivate != nil && c.ClientPrivate.RemoteInvalidation()
	server := c.ServerPrivate != nil && c.ServerPrivate.RemoteInvalidation()
	switch {
	case client && server:
		return "taken by both"
	case client:
		return "taken by the client"
	case server:
		return "taken by the server"
	}
	return "taken by neither"
}

func appendEndpoint(b []byte, e *flow.Endpoint) []byte {
	b = e.Addr.AppendTo(b)
	if e.Port != 0 {
		b = append(b, " port "...)
		b = strconv.AppendUint(b, uint64(e.Port), 10)
	}
	if e.HasQPN {
		b = append(b, " QP "...)
		b = appendQPN(b, e.QPN)
	}
	return b
}

// rejection is why the server rejected the connection.
func rejection(c *dissect.Connection) string {
	if c.IWARP() {
		return "the MPA Reply has the flag R"
	}
	return c.RejectReason.String()
}

// sender names an end of a connection.
func sender(c *dissect.Connection, e flow.End) string {
	if c.ToServer(e) {
		return "client"
	}
	return "server"
}

// connectionEnd prints what a connection came to.
func (t *Text) connectionEnd(c *dissect.Connection) {
	t.connectionName(c)
	switch c.Closing {
	case flow.Open:
		t.b = append(t.b, "still open when the capture ends"...)
	case flow.Disconnected:
		t.b = append(t.b, "disconnected"...)
	case flow.Rejected:
		t.b = t.style.bad.append(t.b, "rejected: "+rejection(c))
	case flow.Terminated:
		t.b = t.style.bad.append(t.b, "terminated by the "+sender(c, c.TerminatedBy)+": "+string(c.Termination.AppendTo(nil)))
	case flow.Reset:
		t.b = t.style.odd.append(t.b, "reset")
	case flow.Replaced:
		what := "queue pair serves"
		if c.IWARP() {
			what = "ports serve"
		}
		t.b = append(t.b, "gone: its "+what+" a new connection, the disconnect is not in the capture"...)
	}
	t.b = append(t.b, "; "...)
	t.b = appendCount(t.b, c.Frames, "frame")
	t.b = append(t.b, ", "...)
	t.b = appendOctets(t.b, c.Octets)
	t.counts([]count{
		{c.RPCs, "RPC", "", false},
		{c.Retransmissions, "retransmission", "", true},
		{c.LostOnWire, "frame", " lost on the wire", true},
		{c.LostInCapture, "frame", " missing from the capture", true},
		{c.NAKs, "NAK", "", true},
		{c.RNRs, "RNR NAK", "", true},
		{c.BadCRC, "FPDU", " with a wrong CRC", true},
		{c.Duplicates, "frame", " captured twice", false},
		{c.Reordered, "frame", " captured out of order", false},
	})
	t.endRow()
	t.version2(c)
}

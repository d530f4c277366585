package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// connectionStart prints who a connection is between and what its set-up
// agreed on.
func (t *Text) connectionStart(c *dissect.Connection) {
	t.b = append(t.b, t.style.conn.on...)
	t.b = append(t.b, '#')
	t.b = strconv.AppendInt(t.b, int64(c.ID), 10)
	t.b = append(t.b, t.style.conn.off...)
	t.b = append(t.b, ' ')
	t.b = append(t.b, c.Transport.String()...)
	t.b = append(t.b, "  "...)
	t.b = appendEndpoint(t.b, c.Client())
	t.b = append(t.b, " → "...)
	t.b = appendEndpoint(t.b, c.Server())
	if c.Service != "" {
		t.b = append(t.b, "  "...)
		t.b = append(t.b, c.Service...)
	}
	if c.Setup == flow.SetupInferred {
		t.b = append(t.b, "  set up before the capture began"...)
	}
	if th, known := c.Thresholds(); known && c.Service == "NFS/RDMA" {
		t.thresholds(c, th)
	}
	t.endRow()
}

func (t *Text) thresholds(c *dissect.Connection, th rpcrdma.Thresholds) {
	t.b = append(t.b, "  inline threshold "...)
	t.b = strconv.AppendInt(t.b, int64(th.ToServer), 10)
	t.b = append(t.b, " to server, "...)
	t.b = strconv.AppendInt(t.b, int64(th.ToClient), 10)
	t.b = append(t.b, " to client ("...)
	t.b = append(t.b, th.Source.String()...)
	t.b = append(t.b, ')')
	if p := c.ClientPrivate; p != nil && p.RemoteInvalidation() {
		t.b = append(t.b, ", client takes remote invalidation"...)
	}
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

// connectionEnd prints what a connection came to.
func (t *Text) connectionEnd(c *dissect.Connection) {
	t.b = append(t.b, t.style.conn.on...)
	t.b = append(t.b, '#')
	t.b = strconv.AppendInt(t.b, int64(c.ID), 10)
	t.b = append(t.b, t.style.conn.off...)
	t.b = append(t.b, ' ')
	switch c.Closing {
	case flow.Open:
		t.b = append(t.b, "open at the end of the capture"...)
	case flow.Disconnected:
		t.b = append(t.b, "disconnected"...)
	case flow.Rejected:
		t.b = append(t.b, "rejected: "...)
		t.b = append(t.b, c.RejectReason.String()...)
	case flow.Replaced:
		t.b = append(t.b, "gone: its queue pair serves a new connection, the disconnect is not in the capture"...)
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
		{c.Duplicates, "frame", " captured twice", false},
		{c.Reordered, "frame", " captured out of order", false},
	})
	t.endRow()
}

package finding

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
)

// A Limitation is something that could not be checked of a connection, and why.
type Gate struct{ What, Why string }

// limitations says what could not be checked of a connection that is over.
func gates(c *dissect.Connection) (list []Gate) {
	never := !c.Established && c.Setup != flow.SetupInferred && c.Messages == 0
	if c.Handshake.Declared[0].Captured && (never || c.Closing == flow.Rejected) {
		return nil // it never came about: request and answer are all there is
	}
	add := func(what, why string, a ...any) { list = append(list, Gate{what, fmt.Sprintf(why, a...)}) }
	speaks := c.RPCRDMA()
	switch {
	case c.Other() && c.Service != "":
		add("all above the transport", "it carries %s", c.Service)
	case c.Other():
		add("all above the transport", "it carries a protocol other than RPC-over-RDMA")
	case !speaks && c.Closing != flow.Rejected:
		add("all above the transport", "no Send shows that it carries RPC-over-RDMA")
	}
	if c.BeganLate() {
		add(lateWhat(speaks), DoubtLate)
	} else if _, known := c.Thresholds(); speaks && !known && c.Closing != flow.Rejected {
		add("inline thresholds", "not all of the setup is in the capture")
	}
	if c.OneWay() {
		add("anything that needs both calls and replies", DoubtOneWay)
	}
	switch {
	case c.LostInCapture > 0:
		add("findings about something missing, near lost frames", "the capture lacks %s", field.AppendCount(nil, c.LostInCapture, "frame"))
	case c.Lossy():
		add("findings about something missing, near lost frames", "parts of the connection are missing from the capture or could not be read")
	}
	if c.Cut > 0 {
		add("the contents of "+string(field.AppendCount(nil, c.Cut, "message")), "%s", c.CutWhy)
	}
	if c.Protected > 0 {
		add("arguments and results of "+string(field.AppendCount(nil, c.Protected, "RPC")), "RPCSEC_GSS protects them")
	}
	return list
}

// lateWhat is what a late begin leaves unchecked.
func lateWhat(speaks bool) string {
	if speaks {
		return "setup, private data and inline thresholds"
	}
	return "setup"
}

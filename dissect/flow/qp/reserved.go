package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// reserved takes a packet whose opcode is reserved. Its addresses and its queue pair say
// of which connection it is. It may have taken the PSN that its BTH says, which is not missing then; what it
// carries nobody knows. Only a right ICRC shows that it is a packet at all.
func (t *Tracker) reserved(f *flow.Frame, v *flow.Verdict) {
	if len(f.IB.Bytes) < rocev2.BTHSize || f.IB.Fault().Offset != 0 || f.IB.Check != rocev2.ICRCRight {
		return
	}
	h := t.requesters[key{f.Link.Src(), f.Link.Dst(), f.IB.DestQP, rocev2.TransportRC}]
	if h == nil || h.conn == nil {
		return
	}
	c := &h.conn.Conn
	t.Count(c, f)
	v.Conn, v.From = c, h.end
	within := h.message != nil && h.message.Kind != 0
	if h.known && !within && len(h.held) == 0 && f.IB.PSN == rocev2.PSNAdd(h.next, int(h.slack)) {
		h.slack++ // the next request may have this PSN, or the one behind it
	}
	t.Sink.FrameDone(c)
}

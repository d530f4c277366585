package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// afterHole is the frame that stands after the gap before the half's next PSN: the next
// request, or the acknowledgement of what is missing, if that came before.
func (h *requester) afterHole() flow.Moment {
	switch {
	case len(h.held) == 0 && h.ackedBy.Ref.Number == 0:
		return flow.Moment{Ref: h.conn.Last, Time: h.conn.LastTime}
	case len(h.held) == 0:
		return h.ackedBy
	case h.gap.acked.Ref.Number != 0 && order.InStep(&h.conn.Counters, h.conn.Mixed):
		return h.gap.acked
	}
	return flow.Moment{Ref: h.held[0].Ref(), Time: h.held[0].Time}
}

// inWrite reports whether what is missing before a PSN can only be of an RDMA Write: one packet,
// after which that goes on.
func (h *requester) inWrite(end uint32) bool {
	if len(h.held) == 0 || h.slack > 0 || rocev2.PSNAdd(h.next, 1) != end || h.held[0].IB.PSN != end {
		return false
	}
	op := h.held[0].IB.OpCode
	pos := op.Position()
	return op.Kind() == rocev2.KindWrite && (pos == rocev2.PositionMiddle || pos == rocev2.PositionLast)
}

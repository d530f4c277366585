package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A responder answers in the order of the PSNs, and sends a response again only
// when the request asks for it again. A response that brings new bytes is
// therefore late, and was sent before, where the responder already answered what
// comes after it:
//
//	READ Request   PSN 11, three responses
//	First    11    in order
//	Last     13    Gap: 12 is missing
//	READ Request   PSN 12, the rest again
//	First    12    LostOnWire: it brings what nobody saw the first time

// askedAgain notes that a request was retransmitted, or one for the rest of it, at a
// frame count of the connection.
func (q *reads) askedAgain(psn uint32, frames int64) {
	r := q.findRead(psn)
	if r == nil || r.underway == nil {
		return
	}
	r.again = true
	if r.lackAt > 0 {
		r.lackAt = frames // the responses come again
	}
	// Who asks for the rest has what lies before it: the responder answered.
	r.rest = rocev2.PSNDiff(psn, r.Point.First)
}

// classifyResponse says how a response that brings the bytes from at on came: in order,
// after a gap, or late itself.
func (h *requester) classifyResponse(r *qpRead, p *flow.Frame, at uint64, fresh bool) (note flow.Note, missing int) {
	if h.replaying {
		return flow.InOrder, 0
	}
	late := h.anyAck && rocev2.PSNDiff(p.IB.PSN, h.acked) <= 0
	if late || r.rest > 0 && rocev2.PSNDiff(p.IB.PSN, r.Point.First) == r.rest {
		return h.late(r, p, fresh), 0
	}
	front := uint64(0)
	if n := len(r.seen); n > 0 {
		front = r.seen[n-1].End
	}
	mtu := uint64(h.conn.PathMTU)
	if at <= front || mtu == 0 {
		return flow.InOrder, 0
	}
	if r.gapAt == (order.Instant{}) {
		r.gapID, r.gapPSN = p.Link.IPID, p.IB.PSN
		r.gapAt = order.Instant{Time: p.Time, Frames: h.conn.Frames}
	}
	return flow.Gap, int((at - front) / mtu)
}

// late counts a response that came after a later one.
func (h *requester) late(r *qpRead, p *flow.Frame, fresh bool) flow.Note {
	since, by, id := r.gapAt, r.gapAt, r.gapID
	if since == (order.Instant{}) {
		since = h.ackedAt
	}
	if by == (order.Instant{}) || rocev2.PSNDiff(r.gapPSN, p.IB.PSN) <= 0 {
		by, id = h.ackedAt, h.ackedID
	}
	if rocev2.PSNDiff(p.IB.PSN, r.Point.First) < r.before {
		return h.unasked(p, fresh)
	}
	soon := p.Time-since.Time < order.ReorderDelay && h.conn.Frames-since.Frames <= order.ReorderWindow
	sent := h.peer.idents.since(p, id, p.Time-by.Time)
	if sent < 0 || sent == 0 && !r.again && (fresh || soon) {
		h.conn.Reordered++
		return flow.Reordered
	}
	h.conn.Retransmissions++
	h.conn.LostOnWire++
	return flow.LostOnWire
}

// answered is how many PSNs, from a request's on, the peer had answered when the capture has that first.
// They answered the same request, sent before the capture began or missing from it:
//
//	First    11    the capture begins: no request is known
//	Last     13
//	READ Request   PSN 11, three responses
//	First    11    Retransmission: the first one was sent before that request
//	Middle   12    too, whether it was lost on the wire or sent before the capture began
func (h *requester) answered(psn uint32) int32 {
	if !h.anyAck {
		return 0
	}
	return max(0, rocev2.PSNDiff(h.acked, psn)+1)
}

// unasked counts a response that the responder had sent, or gone beyond, before the capture has
// a request for it.
func (h *requester) unasked(p *flow.Frame, fresh bool) flow.Note {
	if h.peer.idents.since(p, h.ackedID, p.Time-h.ackedBy.Time) < 0 || fresh {
		h.conn.Reordered++
		return flow.Reordered
	}
	h.conn.Retransmissions++
	return flow.Retransmission
}

// answeredBefore notes that the first answer that was captured came. Nothing says that it answers the requests
// that the capture has: they may have been sent before, too. Then the responses that it goes beyond were sent.
//
//	READ Request   PSN 11 again, three responses: the capture begins
//	Last     13    of the first request
//	First    11    Retransmission
func (h *requester) answeredBefore() {
	for _, r := range h.reads.list {
		if n := h.answered(r.Point.First); n > 0 && r.underway != nil {
			r.before = n
		}
	}
}

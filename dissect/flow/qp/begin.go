package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Where the setup does not tell which PSN a half begins with, its first request
// does. The first that was captured need not be the first that was sent:
//
//	REQ, Send PSN 11, RTU, Send PSN 10, ..., REP     the REP reports it too late
//
// Of requests that wait for their connection the least PSN counts. One that comes
// still later is not told any more, but it is a hole.

// beginAt makes a PSN the first one, as far as the first request that was captured shows.
func (h *requester) beginAt(psn uint32, first *flow.Frame) {
	h.known, h.next = true, psn
	h.begun, h.begunAt, h.guessed = psn, order.Instant{Time: first.Time, Frames: h.conn.Frames}, true
	h.prior, h.begunID = rocev2.PSNAdd(first.IB.PSN, -1), first.Link.IPID
}

// beginsAgain notes that a request comes, before the half goes on with it. Where that is the one that it begins
// with, what the peer has beyond it was sent before the capture has any request: the sender went back.
//
//	Response 12    the capture begins
//	READ Request   PSN 10 again, one response
//	READ Request   PSN 12 again; that of PSN 11 was lost on the wire this time
//
// The capture need not lack a frame for that.
func (h *requester) beginsAgain(psn uint32) {
	if h.guessed && psn == h.begun && h.anyAck && rocev2.PSNDiff(h.acked, h.prior) > 0 {
		h.prior = h.acked
	}
}

// sentBefore reports whether a request with a PSN was sent before the capture has the first one of the half.
func (h *requester) sentBefore(psn uint32) bool {
	return h.guessed && rocev2.PSNDiff(psn, h.prior) <= 0 && rocev2.PSNDiff(psn, h.begun) >= 0
}

// beginWaiting begins the half with the first of the requests that wait in it.
func (h *requester) beginWaiting() {
	var first, least *held
	n := 0
	for _, k := range h.queue {
		switch {
		case !k.IB.OpCode.IsRequest():
			continue
		case first == nil:
			first, least = k, k
		case n > order.ReorderWindow || k.Time-first.Time >= order.ReorderDelay:
			h.beginAt(least.IB.PSN, &first.Frame)
			return
		}
		n++
		if d := rocev2.PSNDiff(k.IB.PSN, least.IB.PSN); d < 0 && d > -maxPSNJump {
			least = k
		}
	}
	if first != nil {
		h.beginAt(least.IB.PSN, &first.Frame)
	}
}

// preceding notes that a request came late which the half should have begun with.
func (h *requester) preceding(p *flow.Frame, note flow.Note) flow.Note {
	if note != flow.Retransmission || !h.guessed || rocev2.PSNDiff(p.IB.PSN, h.begun) >= 0 ||
		p.Time-h.begunAt.Time >= order.ReorderDelay || h.conn.Frames-h.begunAt.Frames > order.ReorderWindow {
		return note
	}
	if h.wentBack(p) {
		return note
	}
	h.conn.AddHole(h.end, flow.Moment{Ref: p.Ref(), Time: p.Time})
	return flow.Reordered
}

// wentBack reports whether a request that the half should have begun with, by its PSN, was sent after the one that
// it began with: the sender had sent it before the capture began, too.
func (h *requester) wentBack(p *flow.Frame) bool {
	const near = 64 // so many frames of a host that counts may come between two
	if d := int16(p.Link.IPID - h.begunID); d != 0 && d >= -near && d <= near {
		return d > 0
	}
	// Or the receiver asked for it, or answered what was asked for after it.
	return h.gap.nakSeen || p.IB.OpCode.Kind() == rocev2.KindReadRequest && h.anyAck && rocev2.PSNDiff(h.acked, h.after(&p.IB)) >= 0
}

// beginsWith takes the PSN that the setup tells, after requests were taken
// already. Where they began with a later one, the capture lacks the first.
func (h *requester) beginsWith(psn uint32, told flow.Moment) {
	if !h.known || !h.guessed {
		return
	}
	h.guessed = false
	if d := rocev2.PSNDiff(h.begun, psn); d > 0 && d <= maxPSNJump {
		h.conn.AddHole(h.end, told)
	}
}

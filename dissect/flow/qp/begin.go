package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Where the set-up does not tell which PSN a half begins with, its first request
// does. The first that was captured need not be the first that was sent:
//
//	REQ, Send PSN 11, RTU, Send PSN 10, ..., REP     the REP tells it too late
//
// Of requests that wait for their connection the least PSN counts. One that comes
// still later is not told any more, but it is a hole.

// begin makes a PSN the first one, as far as a request of that time shows.
func (h *half) begin(psn uint32, time int64) {
	h.known, h.next = true, psn
	h.begun, h.begunAt, h.guessed = psn, order.Instant{Time: time, Frames: h.conn.Frames}, true
}

// beginWaiting begins the half with the first of the requests that wait in it.
func (h *half) beginWaiting() {
	var first, least *held
	n := 0
	for _, k := range h.queue {
		switch {
		case !k.IB.OpCode.IsRequest():
			continue
		case first == nil:
			first, least = k, k
		case n > order.ReorderWindow || k.Time-first.Time >= order.ReorderDelay:
			h.begin(least.IB.PSN, first.Time)
			return
		}
		n++
		if d := rocev2.PSNDiff(k.IB.PSN, least.IB.PSN); d < 0 && d > -maxPSNJump {
			least = k
		}
	}
	if first != nil {
		h.begin(least.IB.PSN, first.Time)
	}
}

// preceding notes that a request came late which the half should have begun with.
func (h *half) preceding(p *flow.Frame, note flow.Note) flow.Note {
	if note != flow.Retransmission || !h.guessed || rocev2.PSNDiff(p.IB.PSN, h.begun) >= 0 ||
		p.Time-h.begunAt.Time >= order.ReorderDelay || h.conn.Frames-h.begunAt.Frames > order.ReorderWindow {
		return note
	}
	h.conn.AddHole(h.end, flow.Moment{Ref: p.Ref(), Time: p.Time})
	return flow.Reordered
}

// beginsWith takes the PSN that the set-up tells, after requests were taken
// already. Where they began with a later one, the capture lacks the first.
func (h *half) beginsWith(psn uint32, told flow.Moment) {
	if !h.known || !h.guessed {
		return
	}
	h.guessed = false
	if d := rocev2.PSNDiff(h.begun, psn); d > 0 && d <= maxPSNJump {
		h.conn.AddHole(h.end, told)
	}
}

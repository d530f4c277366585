package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// beyond is how far the response to an RDMA Read went on after what was asked for.
//
//	PSN   10        11          12
//	      READ      Send                    the requests
//	      First     Middle      Last        the response: 11 and 12 are too many
//
// Those packets show nothing of the requests that have their PSNs.
type beyond struct {
	is   bool
	last uint32 // PSN of the last packet that was asked for
	psn  uint32 // of the last packet that came
}

// surplus reports whether a response packet goes on with a response that was to end before it. The first packet of
// another response, whose request may be missing, is none.
func (h *requester) surplus(p *flow.Frame) bool {
	switch p.IB.OpCode.Position() {
	case rocev2.PositionMiddle, rocev2.PositionLast:
	default:
		return false
	}
	before := rocev2.PSNAdd(p.IB.PSN, -1)
	if !h.beyond.is || h.beyond.psn != before {
		r := h.reads.findRead(before)
		if !h.known || r == nil || r.count == 0 || r.Point.Last != before {
			return false
		}
		h.beyond = beyond{is: true, last: before}
	}
	h.beyond.psn = p.IB.PSN
	return true
}

// tooLong takes a packet with which a response has more bytes than were asked for. Its requester refuses it, so it
// brings none; but nothing is missing from the capture.
func (h *requester) tooLong(r *qpRead, p *flow.Frame, at uint64) {
	if r.underway == nil {
		return
	}
	h.peer.responses.PSN(int(p.File), p.IB.PSN)
	if at < uint64(r.Length) {
		r.Received += r.seen.Add(at, uint64(r.Length))
	}
	if r.done() {
		h.reads.endRead(r)
	}
}

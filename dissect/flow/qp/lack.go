package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// The responses to an RDMA Read take PSNs of the requester's space, so a PSN that
// is skipped shows none to be missing. What shows it is that the responder went
// on: it answers in the order of the PSNs.
//
//	READ Request   PSN 11, three responses
//	Response 11, 12
//	Acknowledge 14       the responder has sent 13: it is late, or lost on the
//	                     wire and will be asked for again, or missing here

// givenUp is qpRead.lackAt of a request whose responses were given up.
const givenUp = -1

// done reports whether all of the response was seen.
func (r *qpRead) done() bool { return r.Whole() && (r.Length > 0 || r.empty) }

// lack notes the requests whose responses were all sent, as the peer's
// acknowledgement of a PSN shows, and were not all seen.
func (h *requester) lack(acked uint32) {
	for i := len(h.reads.list) - 1; i >= 0; i-- {
		r := h.reads.list[i]
		if r.count == 0 || rocev2.PSNDiff(acked, r.Point.Last) < 0 {
			continue
		}
		if r.done() || r.lackAt != 0 {
			return // and so were those before it
		}
		r.lackAt, r.lackBy = h.conn.Frames, flow.Moment{Ref: h.conn.Last, Time: h.conn.LastTime}
		h.reads.lacking++
	}
}

// goesOn reports whether two PSNs that follow each other are both of the response that
// came last, which does not end with the second: then none ends between them.
func (q *reads) goesOn(from, to uint32) bool {
	if int(q.last) >= len(q.list) {
		return false
	}
	r := q.list[q.last]
	return r.count != 0 && rocev2.PSNDiff(from, r.Point.First) >= 0 && rocev2.PSNDiff(to, r.Point.Last) < 0
}

// found notes that a request lacks nothing any more.
func (q *reads) found(r *qpRead) {
	if r.underway != nil && r.lackAt > 0 {
		r.lackAt = 0
		q.lacking--
	}
}

// giveUpReads gives up what responses lacked for long; with force, all of it.
func (h *requester) giveUpReads(force bool) {
	q := &h.reads
	if !force && h.conn.Frames < q.lookAt {
		return
	}
	q.lookAt = h.conn.Frames + order.ReorderWindow
	now := order.Now(&h.conn.Conn)
	for _, r := range q.list {
		if r.underway != nil && r.lackAt > 0 && (force || order.Instant{Time: r.lackBy.Time, Frames: r.lackAt}.LongAgo(now, order.ReorderWindow)) {
			q.found(r)
			r.lackAt = givenUp
			h.conn.AddHoleInData(h.end.Peer(), r.lackBy)
		}
	}
}

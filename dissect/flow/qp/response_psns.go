package qp

import (
	"github.com/rdmacap/rdmacap/dissect/span"
	"github.com/rdmacap/rdmacap/rocev2"
)

// responsePSNs are the PSNs in a gap that responses to an RDMA Read carried, all but
// its first. No request has them, so none of them is a missing frame: one READ
// request, which has the first, stands for them all.
//
//	PSN   10        11          12         13
//	      READ      -           -          Send     the requests
//	      First     Middle      Last                the responses
//	      missing   response    response   held     = 1 frame is missing
type responsePSNs struct {
	base uint32 // PSN that distances in the set count from
	set  span.Set
}

// reach is how far before the base a response may lie.
const reach = 1 << 20

func (q *responsePSNs) addPSN(psn uint32) {
	if len(q.set) == 0 {
		q.base = rocev2.PSNAdd(psn, -reach)
	}
	if d := rocev2.PSNDiff(psn, q.base); d >= 0 {
		q.set.Add(uint64(d), uint64(d)+1)
	}
}

// between is how many of them lie in [from, to).
func (q *responsePSNs) between(from, to uint32) (n int64) {
	lo, hi := int64(rocev2.PSNDiff(from, q.base)), int64(rocev2.PSNDiff(to, q.base))
	for _, s := range q.set {
		n += max(0, min(hi, int64(s.End))-max(lo, int64(s.Start)))
	}
	return n
}

// passed forgets them when all lie before the next PSN.
func (q *responsePSNs) passed(next uint32) {
	if n := len(q.set); n > 0 && rocev2.PSNDiff(next, q.base) >= int32(q.set[n-1].End) {
		q.clear()
	}
}

func (q *responsePSNs) clear() { q.set = q.set[:0] }

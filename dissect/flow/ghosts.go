package flow

import (
	"github.com/rdmacap/rdmacap/dissect/span"
	"github.com/rdmacap/rdmacap/rocev2"
)

// ghosts are the PSNs in a gap that responses to an RDMA Read carried, all but
// its first. No request has them, so none of them is a missing frame: one READ
// request, which has the first, stands for them all.
//
//	PSN   10        11          12         13
//	      READ      -           -          Send     the requests
//	      First     Middle      Last                the responses
//	      missing   ghost       ghost      held     = 1 frame is missing
type ghosts struct {
	base uint32 // PSN that distances in the set count from
	set  span.Set
}

// reach is how far before the base a ghost may lie.
const reach = 1 << 20

func (g *ghosts) add(psn uint32) {
	if len(g.set) == 0 {
		g.base = rocev2.PSNAdd(psn, -reach)
	}
	if d := rocev2.PSNDiff(psn, g.base); d >= 0 {
		g.set.Add(uint64(d), uint64(d)+1)
	}
}

// between is how many ghosts lie in [from, to).
func (g *ghosts) between(from, to uint32) (n int64) {
	lo, hi := int64(rocev2.PSNDiff(from, g.base)), int64(rocev2.PSNDiff(to, g.base))
	for _, s := range g.set {
		n += max(0, min(hi, int64(s.End))-max(lo, int64(s.Start)))
	}
	return n
}

// passed forgets the ghosts when all of them lie before the next PSN.
func (g *ghosts) passed(next uint32) {
	if n := len(g.set); n > 0 && rocev2.PSNDiff(next, g.base) >= int32(g.set[n-1].End) {
		g.clear()
	}
}

func (g *ghosts) clear() { g.set = g.set[:0] }

package memory

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Resent reports whether a call with the XID of an RPC was sent before and got no
// answer that is known: what the responder does may be for that one.
func (j *Checker) Resent(r *dissect.RPC) bool { return j.c.History().LeftUnanswered(r) != nil }

// Knows reports whether all calls that may be open at a time were captured, but for those
// that a hole may have had.
func (j *Checker) Knows(time int64) bool { return j.known.all(j.c, time) }

// apart reports whether call and reply of an RPC may not be in the order in which they were sent.
func (j *Checker) apart(r *dissect.RPC) bool {
	return j.c.Disordered() || r.Call.Frame().File != r.Reply.Frame().File
}

// Complete reports whether all RDMA operations of an RPC with call and reply would
// have been seen: nothing of it is missing from the capture, and none was captured
// before the call.
func (j *Checker) Complete(r *dissect.RPC) bool {
	c, k := j.c, &j.known
	apart := j.apart(r)
	// What the responder does for the call comes after it, but in a capture that is out of order.
	hole := c.LostAnyOf(r.Requester.Peer(), r.Call.Frame())
	if apart {
		hole = hole || c.LostSince(r.Call.Frame()) || c.HoleSince(r.Call.First-int64(waiting(apart)))
	}
	return !c.OneDirection() && !c.Unread && !hole && k.began(c, r.Requester.Peer(), r.Call.Frame(), r.Call.First) &&
		!j.Resent(r) && !k.wasLate.since(r.Call.First) && !k.strayed.since(r.Call.First-skew(apart)) && !j.straying(r)
}

// straying reports whether an operation of the responder that is tied to no call is not shown to be
// from before the call, which the requester sent after its acknowledgement then.
func (j *Checker) straying(r *dissect.RPC) bool {
	at := &j.known.strayedAt[r.Requester.Peer()&1]
	return at.Numbered && j.c.Precedes(at, &r.Call.Point) != flow.Yes
}

// Doubt is what is in doubt where an RPC is Complete: an operation that is tied to no call may
// have been for it, if it only just came before the call.
func (j *Checker) Doubt(r *dissect.RPC) string {
	c, k, before := j.c, &j.known, r.Call.First-int64(skewPatience)
	switch e := r.Requester.Peer(); {
	case c.BeganLate() && !k.first[e&1].before(before):
		return finding.DoubtLate
	case k.strayed.since(before) || k.wasCut.since(before):
		return finding.DoubtLoss
	}
	return ""
}

// skew is how long before a call something may have been captured that was for it.
func skew(apart bool) int64 {
	if apart {
		return int64(skewPatience)
	}
	return 0
}

// Placed reports the same, and that no frame of an RDMA Write was cut.
func (j *Checker) Placed(r *dissect.RPC) bool {
	return !j.known.wasCut.since(r.Call.First-skew(j.apart(r))) && j.Complete(r)
}

// Shared reports whether a segment of an RPC with call and reply was advertised for
// another RPC too while one was open: what was written there may be for either.
func (j *Checker) Shared(r *dissect.RPC, s *rpcrdma.Region) bool {
	from := r.Call.First
	if j.apart(r) {
		from -= int64(skewPatience)
	}
	for g := j.ledger.Newest(s.Handle); g != nil; g = g.Older() {
		if g.Owner != r.Requester || g.Call == r.Call.Frame() || g.Purpose == rpcrdma.ForRead {
			continue
		}
		open := g.Over == Live || g.Until >= from
		if open && g.Offset < s.Offset+uint64(s.Length) && s.Offset < g.Offset+uint64(g.Length) {
			return true
		}
	}
	return false
}

package memory

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// Resent reports whether a call with the XID of an RPC was sent before and got no
// answer that is known: what the responder does may be for that one.
func (j *Judge) Resent(r *dissect.RPC) bool { return j.c.History().LeftUnanswered(r) != nil }

// Knows reports whether all calls that may be open at a time were captured.
func (j *Judge) Knows(time int64) bool { return j.known.all(j.c, time) }

// Complete reports whether all RDMA operations of an RPC with call and reply would
// have been seen: nothing of it is missing from the capture, and none was captured
// before the call.
func (j *Judge) Complete(r *dissect.RPC) bool {
	c, k := j.c, &j.known
	apart := c.Disordered() || r.Call.Frame().File != r.Reply.Frame().File
	hole := c.HoleSince(r.Call.First - int64(waiting(apart)))
	return !c.OneDirection() && !c.Unread && !hole && !c.LostSince(r.Call.Frame()) && k.began(c, r.Requester.Peer(), r.Call.First) &&
		!j.Resent(r) && !k.wasLate.since(r.Call.First) && !k.strayed.since(r.Call.First-int64(skewPatience))
}

// Placed reports the same, and that no frame of an RDMA Write was cut.
func (j *Judge) Placed(r *dissect.RPC) bool {
	return !j.known.wasCut.since(r.Call.First-int64(skewPatience)) && j.Complete(r)
}

// Shared reports whether a segment of an RPC with call and reply was advertised for
// another RPC too while one was open: what was written there may be for either.
func (j *Judge) Shared(r *dissect.RPC, s *rpcrdma.Region) bool {
	from := r.Call.First
	if j.c.Disordered() || r.Call.Frame().File != r.Reply.Frame().File {
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

package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ddp018() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Responder), rules.Cut, rules.Protected),
			rules.LikelyIf(rules.BeganLate), rules.DetailIf(rules.JustBegun, rules.Disordered),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithReads, rpc018)},
	}
}

func rpc018(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	j := memory.CheckerOf(c)
	if !answered(c, r) || len(r.Call.Header.Reads) == 0 {
		return
	}
	// Who refuses a call for another reason need have read no more than its header.
	h := r.ReplyHeader()
	if h == nil || h.Denied || h.Accept != rpc.Success && h.Accept != rpc.GarbageArgs {
		return
	}
	missed, what := unread(r, 0, -1), "the call itself"
	garbage, failed := h.Accept == rpc.GarbageArgs, false
	if missed == nil {
		if missed, what, failed = unreadItem(c, r, garbage); missed == nil {
			return
		}
	}
	if !j.Complete(r) {
		return
	}
	letter, answer := "", "success"
	switch {
	case garbage:
		letter, answer = "b", "GARBAGE_ARGS"
	case failed:
		letter, answer = "c", "a failure"
	case missed.Position == 0:
		if name, ok := r.Status(); name != "" && !ok {
			letter, answer = "c", name
		}
	}
	f := report.Part(letter, r, r.Reply, j.Doubt(r))
	if f == nil {
		return
	}
	f.Messagef("the %s answered with %s, but had requested only %d of %d bytes of a segment of the Read chunk at Position %d (%s)",
		c.Sender(r.Reply.From), answer, missed.Asked.Len(), missed.Length, missed.Position, what)
	f.See("bytes requested", missed.Asked.Len(), missed.Length).See("position", missed.Position, nil)
	for i := range r.Call.Header.Reads {
		if e := &r.Call.Header.Reads[i]; e.Segment == missed.Segment && e.Position == missed.Position {
			f.ReadSegment(r.Call, i)
			break
		}
	}
}

// unreadItem is a segment of an item's Read chunk that was not requested as a whole although the
// operation that the item is for succeeded, or the call could have been decoded (garbage says that
// the responder could not), or some of it was requested and the operation failed; and what it is of.
func unreadItem(c *rules.Conn, r *dissect.RPC, garbage bool) (missed *rpcrdma.Region, what string, failed bool) {
	s := readingOf(c)
	b := s.reduced(c, r)
	if b == nil || !values.Explained(b) || garbage && s.diagnose(b).mismatch != unknown {
		return nil, "", false
	}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 {
			continue
		}
		position := b.Reduced.Reads[e.Chunk].Position
		if missed = unread(r, position, int64(e.Length)); missed == nil {
			continue
		}
		failed = !garbage && !succeeded(r, b, e)
		if !failed || begun(r, position) {
			return missed, itemName(b, e), failed
		}
	}
	return nil, "", false
}

// begun reports whether RDMA Read requests named bytes of a Read chunk.
func begun(r *dissect.RPC, position uint32) bool {
	for i := range r.Offer.Regions {
		if g := &r.Offer.Regions[i]; g.Purpose == rpcrdma.ForRead && g.Position == position && len(g.Asked) > 0 {
			return true
		}
	}
	return false
}

// unread is the first segment of a Read chunk of which RDMA Read requests did not
// name all bytes that belong to the item, nil if there is none. Of a chunk whose
// item's length is not known (-1) the last 3 bytes may be a pad.
func unread(r *dissect.RPC, position uint32, length int64) *rpcrdma.Region {
	if length < 0 {
		const pad = 3
		length = max(0, int64(r.Call.Header.ReadLength(position))-pad)
	}
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		if g.Purpose != rpcrdma.ForRead || g.Position != position || g.Start >= uint64(length) {
			continue
		}
		if !g.Asked.Covers(0, min(uint64(g.Length), uint64(length)-g.Start)) {
			return g
		}
	}
	return nil
}

// succeeded reports whether the reply says that the operation which an item is for
// did.
func succeeded(r *dissect.RPC, b *dissect.Body, e *walk.Event) bool {
	_, index := operationAt(b, e)
	if index < 0 {
		_, ok := r.Status()
		return ok
	}
	ops := r.Ops(nil)
	return int(index) < len(ops) && ops[index].OK
}

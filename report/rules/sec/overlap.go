package sec

import (
	"iter"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

// Whether two calls were open at once shows when the later one was answered: a reply
// to the earlier one that came before would be known by then to be missing. The order
// of call 2 and reply 1 is known from that of the replies, or if they are far apart.
//
//	call 1 ──────────────────────────── reply 1
//	          call 2 ──────────── reply 2

// judgeable reports whether an RPC that is over reports what was open beside it.
func judgeable(c *rules.Conn, r *dissect.RPC) bool {
	return r.Call != nil && !c.Cut(r.Call) && !r.Call.Header.Fault.Bad() && r.Reply != nil && after(r.Reply.Frame(), r.Call.Frame())
}

// beside is the newest grant of a handle, of those that fit, which another call of the
// requester had open when the call of an answered RPC was sent; nil if the capture
// proves none; with what is in doubt. Those for XDR pads are left out.
func beside(c *rules.Conn, r *dissect.RPC, handle uint32, fits func(g *memory.AdvertisedSegment) bool) (g *memory.AdvertisedSegment, doubt string) {
	j, at := memory.CheckerOf(c), r.Call.Frame()
	for g = j.Ledger().Newest(handle); g != nil; g = g.Older() {
		if g.XID == r.XID || g.Owner != r.Requester || g.Length <= pad || !after(at, g.Call) {
			continue
		}
		if !fits(g) {
			continue
		}
		doubt, ok := j.Open(g, g.Over == memory.Replied || g.Over == memory.Failed, 1)
		if !ok {
			continue
		}
		if g.Over == memory.Live || after(g.By, r.Reply.Frame()) || after(g.By, at) && (j.Ordered(r.Call.Last, g.Until) || crosses(c, r, g)) {
			return g, doubt
		}
	}
	return nil, ""
}

// crosses reports whether the call of an RPC was sent before the reply that ended a grant, as its
// acknowledgement shows.
func crosses(c *rules.Conn, r *dissect.RPC, g *memory.AdvertisedSegment) bool {
	other := memory.RPCOf(g)
	return other != nil && other.Reply != nil && c.Precedes(&r.Call.Point, &other.Reply.Point) == flow.Yes
}

// after reports whether a frame is known to be after another.
func after(r, other flow.Ref) bool { return r.File == other.File && r.Number > other.Number }

// A segment is one that a call names.
type segment struct {
	rpcrdma.Segment
	writable bool
}

// segments are those that a call names, each with its offset in the Send.
func segments(m *dissect.Message) iter.Seq2[segment, int] {
	return func(yield func(segment, int) bool) {
		h := &m.Header
		for i := range h.Reads {
			if !yield(segment{h.Reads[i].Segment, false}, h.ReadSegmentAt(i)) {
				return
			}
		}
		for i, s := range h.Segments {
			if !yield(segment{s, true}, h.SegmentAt(i)) {
				return
			}
		}
	}
}

// overlap reports whether two segments of one handle have bytes in common.
func overlap(a, b rpcrdma.Segment) bool {
	if a.Offset > b.Offset {
		a, b = b, a
	}
	return b.Offset-a.Offset < uint64(a.Length) && b.Length > 0
}

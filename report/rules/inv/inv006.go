package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func inv006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.Disordered),
			rules.LikelyIf(rules.LostSince.From(rules.Responder)).Since("the earlier call"),
			rules.DetailIf(rules.BeganLate, rules.Cut),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{memory.CheckerKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithChunks, rpc006)},
	}
}

// rpc006 looks whether the handle of an answered call was advertised for other memory
// before its reply.
func rpc006(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || r.Reply == nil || c.Cut(r.Call) || r.Call.Header.Fault.Bad() {
		return
	}
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		later := g.Newer()
		if later == nil || pad(g.Segment) || later.XID == r.XID || later.Owner != g.Owner || pad(later.Segment) || touch(later, g) || later.Newer() != nil || lasts(g) {
			continue
		}
		call := memory.CallOf(later)
		if promised, _ := flags(c, r.Requester); !promised || call == nil || !before006(c, r, call) {
			continue
		}
		f := report.Message("", call, c.DoubtOf(r.Requester.Peer(), r.Call.Frame()))
		if f == nil {
			return
		}
		f.Messagef("the %s advertised handle %s for other memory than the call with XID %s in frame %s, which was not answered until frame %s",
			c.Sender(r.Requester), rules.Handle(g.Handle), rules.Handle(r.XID), c.Capture.FrameName(r.Call.Frame()), c.Capture.FrameName(r.Reply.Frame()))
		f.See("segment", later.Segment.String(), g.Segment.String()).With(r.Call.Frame(), r.Reply.Frame()).Also(r.XID)
		return
	}
}

// lasts reports whether the handle of a grant outlived the answer to an earlier call that named
// other memory by it: it is the one of a registration of all memory.
func lasts(g *memory.AdvertisedSegment) bool {
	for old := g.Older(); old != nil; old = old.Older() {
		if old.Over == memory.Replied && !same(old, g) && !pad(old.Segment) {
			return true
		}
	}
	return false
}

// touch reports whether two grants overlap or adjoin each other: then they may be parts of one registration, which
// is SEC-004b's.
func touch(a, b *memory.AdvertisedSegment) bool {
	return a.Offset <= b.Offset+uint64(b.Length) && b.Offset <= a.Offset+uint64(a.Length)
}

// same reports whether two grants are of the same memory.
func same(a, b *memory.AdvertisedSegment) bool { return a.Offset == b.Offset && a.Length == b.Length }

// before006 reports whether a call was sent before the reply to another: the responder had
// acknowledged it by then, or had not sent the reply some milliseconds later.
func before006(c *rules.Conn, r *dissect.RPC, call *dissect.Message) bool {
	if c.OneDirection() {
		return false
	}
	switch c.Precedes(&call.Point, &r.Reply.Point) {
	case flow.Yes:
		return true
	case flow.No:
		return false
	}
	at := call.Frame()
	return at.File == r.Reply.Frame().File && memory.CheckerOf(c).Ordered(call.Last, r.Reply.First)
}

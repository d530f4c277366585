package sec

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
)

func sec004() rules.Check {
	return rules.Check{
		Fields: size.Fields(),
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Cut).In("abc"),
			rules.SilentIf(rules.Protected).In("a"),
			rules.SilentIf(rules.OneDirection, rules.JustBegun).In("bc"),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Responder)).In("bc"),
			rules.LikelyIf(rules.BeganLate).In("bc"),
			rules.DetailIf(rules.BeganLate, rules.Disordered),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Receiver)).In("d").Since("the reply"),
			rules.SilentOrLikelyIf(rules.NothingFollows.From(rules.Receiver)).In("d"),
		},
		Needs: []rules.Knowledge{memory.CheckerKnowledge()},
		On: []rules.Event{
			rules.OnMessage(rules.WithChunks, message004), rules.OnRPC(rules.WithChunks, rpc004), memory.OnViolation(memory.TooLate, late004),
		},
	}
}

// message004 looks for a segment that is too large for whatever it is.
func message004(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if m.Role() != dissect.RoleCall || c.Cut(m) || m.Header.Fault.Bad() {
		return
	}
	for s, at := range segments(m) {
		if uint64(s.Length) <= c.Capture.Config.Exposure {
			continue
		}
		if f := report.Message("a", m, ""); f != nil {
			f.Messagef("the %s advertised %d bytes under handle %s", c.Sender(m.From), s.Length, rules.Handle(s.Handle))
			f.See("segment length", int64(s.Length), "at most "+rules.Count(c.Capture.Config.Exposure)).In(m, at, rpcrdma.SegmentSize)
		}
	}
}

func rpc004(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if !c.Sound(r.Call) {
		return
	}
	excess(c, r, report)
	if judgeable(c, r) {
		for s, at := range segments(r.Call) {
			shared(c, r, s, at, report)
		}
		crossed(c, r, report)
	}
}

// crossed looks for memory that a later call named before the reply to this one was sent, as
// its acknowledgement shows, where too little time lies between the two for shared.
func crossed(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	j := memory.CheckerOf(c)
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		later := g.Newer()
		if later == nil || g.Length <= pad || later.Length <= pad || later.XID == r.XID || later.Owner != g.Owner || !overlap(g.Segment, later.Segment) ||
			g.Purpose == rpcrdma.ForRead && later.Purpose == rpcrdma.ForRead {
			continue
		}
		call := memory.CallOf(later)
		if call == nil || c.Cut(call) || j.Ordered(call.Last, r.Reply.Last) || c.Precedes(&call.Point, &r.Reply.Point) != flow.Yes {
			continue
		}
		doubt, ok := j.Open(g, true, 1)
		if !ok {
			continue
		}
		letter, what := "b", "writable"
		if (later.Purpose == rpcrdma.ForRead) != (g.Purpose == rpcrdma.ForRead) {
			letter, what = "c", "both readable and writable"
		}
		if f := report.Message(letter, call, doubt); f != nil {
			f.Messagef("memory under handle %s is %s for the open calls with XIDs %s and %s at once", rules.Handle(g.Handle), what, rules.Handle(r.XID), rules.Handle(later.XID))
			f.See("segment", later.Segment.String(), nil).See("segment of the other call", g.Segment.String(), nil).With(g.Call)
		}
	}
}

// shared looks for memory that another call had open too.
func shared(c *rules.Conn, r *dissect.RPC, s segment, at int, report rules.Reporter) {
	if s.Length <= pad {
		return
	}
	g, doubt := beside(c, r, s.Handle, func(g *memory.AdvertisedSegment) bool {
		// Two calls may write out the same data.
		return (s.writable || g.Purpose != rpcrdma.ForRead) && overlap(g.Segment, s.Segment)
	})
	if g == nil {
		return
	}
	letter, what := "b", "writable"
	if s.writable != (g.Purpose != rpcrdma.ForRead) {
		letter, what = "c", "both readable and writable"
	}
	if f := report.Part(letter, r, r.Call, doubt); f != nil {
		f.Messagef("memory under handle %s is %s for the open calls with XIDs %s and %s at once", rules.Handle(s.Handle), what, rules.Handle(g.XID), rules.Handle(r.XID))
		f.See("segment", s.String(), nil).See("segment of the other call", g.Segment.String(), nil).In(r.Call, at, rpcrdma.SegmentSize).With(g.Call)
	}
}

// late004 looks for an RDMA Read after the end of its RPC that brought bytes: the
// memory was still open.
func late004(c *rules.Conn, o *memory.Violation, report rules.Reporter) {
	g := &o.Segment
	if o.Kind != dissect.AccessRead || !o.Answered || !g.Has(o.Offset, uint64(o.Length)) {
		return
	}
	if f := o.Report(report, "d"); f != nil {
		f.Messagef("the %s successfully read memory of the call with XID %s after %s in frame %s: handle %s was not invalidated",
			c.Sender(o.From), rules.Handle(g.XID), g.Over, c.Capture.FrameName(g.By), rules.Handle(o.Handle))
		f.See("handle", rules.Handle(o.Handle), nil).With(g.By)
	}
}

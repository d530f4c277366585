package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func inv003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Receiver)).In("a").Since("the invalidation"),
			rules.SilentOrLikelyIf(rules.NothingFollows.From(rules.Receiver)).In("a"),
			rules.SilentIf(rules.OneDirection, rules.Disordered, rules.JustBegun).In("b"),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Sender)).In("b").Since("the other call"),
			rules.LikelyIf(rules.BeganLate).In("b"),
			rules.SilentIf(rules.Cut).In("c"),
			rules.DetailIf(rules.BeganLate, rules.Disordered),
		},
		Needs: []rules.Knowledge{memory.CheckerKnowledge()},
		On: []rules.Event{
			memory.OnViolation(memory.TooLate, late003),
			rules.OnMessage(rules.Invalidating|rules.WithWrites|rules.WithReplyChunk, message003),
		},
	}
}

// late003 looks for an RDMA operation on a handle after its invalidation.
func late003(c *rules.Conn, o *memory.Violation, report rules.Reporter) {
	g := &o.Segment
	if g.Over != memory.Invalidated || !g.Has(o.Offset, uint64(o.Length)) {
		return
	}
	if f := o.Report(report, "a"); f != nil {
		f.Messagef("the %s issued an %s on handle %s, which it had itself invalidated in frame %s with the reply to XID %s",
			c.Sender(o.From), o.Kind, rules.Handle(o.Handle), c.Capture.FrameName(g.By), rules.Handle(g.XID))
		f.See("handle", rules.Handle(o.Handle), nil).See("time since the invalidation", finding.Nanoseconds(o.Time-g.Until), nil).With(g.By)
	}
}

func message003(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if m.HasInvalidated {
		state.Of(c).invalidated = true
		shared(c, m, report)
	}
	if k := state.IfAny(c); k != nil && k.invalidated && m.Role() == dissect.RoleCall && !c.Cut(m) && !m.Header.Fault.Bad() {
		recycled(c, m, report)
	}
}

// shared looks whether another open call advertises what a message invalidates.
// The book has ended all grants of the handle by now, with that frame.
func shared(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	r := m.RPC()
	if r == nil || r.Call == nil || !r.Call.Header.Names(m.Invalidated) {
		return // INV-002 has that
	}
	at, judge := m.Frame(), memory.CheckerOf(c)
	for g := judge.Ledger().Newest(m.Invalidated); g != nil; g = g.Older() {
		if g.By != at || g.XID == r.XID || g.Owner == m.From || pad(g.Segment) {
			continue
		}
		doubt, is := opened(c, judge, g, m)
		if !is || c.Disordered() || c.EmittedLate(g.Call) {
			continue // it may have been sent after the invalidation, or told after its reply
		}
		if f := report.Message("b", m, doubt); f != nil {
			f.Messagef("the reply to XID 0x%08x invalidates handle 0x%08x, which the open call with XID 0x%08x in frame %s advertises too",
				r.XID, m.Invalidated, g.XID, c.Capture.FrameName(g.Call))
			f.See("handle", rules.Handle(m.Invalidated), nil).At(rules.InvalidatedAt(m)).With(g.Call).Also(g.XID)
		}
		return
	}
}

// recycled looks whether a call advertises a handle that was invalidated before, for
// other memory.
func recycled(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	book := memory.Of(c)
	for i := range m.Header.Segments {
		s := m.Header.Segments[i]
		g := book.Newest(s.Handle)
		if g == nil || g.Older() == nil {
			continue
		}
		if old := g.Older(); old.Over == memory.Invalidated && (old.Offset != s.Offset || old.Length != s.Length) && !pad(s) {
			if f := report.Message("c", m, ""); f != nil {
				f.Messagef("handle 0x%08x was invalidated in frame %s, but is now advertised for other memory", s.Handle, c.Capture.FrameName(old.By))
				f.See("segment", s.String(), old.Segment.String())
			}
			return
		}
	}
}

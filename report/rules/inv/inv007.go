package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func inv007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.Disordered, rules.JustBegun),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Sender)).Since("the call of the other memory"),
			rules.LikelyIf(rules.BeganLate),
		},
		Needs: []rules.Knowledge{memory.CheckerKnowledge()},
		On:    []rules.Event{rules.OnMessage(rules.Invalidating, message007)},
	}
}

// message007 looks whether another open call advertises the pad that a message invalidates.
// The ledger has ended all grants of the handle by now, with that frame.
func message007(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	r := m.RPC()
	if !m.HasInvalidated || r == nil || r.Call == nil || !r.Call.Header.Names(m.Invalidated) {
		return // INV-002 has that
	}
	at, judge := m.Frame(), memory.CheckerOf(c)
	for g := judge.Ledger().Newest(m.Invalidated); g != nil; g = g.Older() {
		if g.By != at || g.XID == r.XID || g.Owner == m.From || !pad(g.Segment) {
			continue
		}
		doubt, is := opened(c, judge, g, m)
		if !is {
			continue
		}
		if f := report.Message("", m, doubt); f != nil {
			f.Messagef("the reply to XID 0x%08x invalidates handle 0x%08x, which the open call with XID 0x%08x in frame %s advertises too, for a pad of %d bytes",
				r.XID, m.Invalidated, g.XID, c.Capture.FrameName(g.Call), g.Length)
			f.See("handle", rules.Handle(m.Invalidated), nil).At(rules.InvalidatedAt(m)).With(g.Call).Also(g.XID)
		}
		return
	}
}

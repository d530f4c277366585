package inv

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func inv002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.Cut),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Requester), rules.LostAround.From(rules.Requester)),
			rules.DetailIf(rules.BeganLate, rules.JustBegun),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{memory.CheckerKnowledge()},
		On:     []rules.Event{rules.OnMessage(rules.Invalidating, message002)},
	}
}

func message002(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if !m.HasInvalidated || !m.Answer {
		return
	}
	doubt := ""
	r := m.RPC()
	if r == nil || r.Call == nil || c.Cut(r.Call) || r.Call.Header.Fault.Bad() || r.Call.Header.Names(m.Invalidated) {
		return
	}
	j, call := memory.CheckerOf(c), r.Call.Frame()
	lost := c.LostOf(r.Requester, call) || c.LostNear(r.Requester, call)
	switch {
	case j.Resent(r) || c.OneDirection():
		return // it may answer another call with the XID
	case !j.Knows(r.Call.First), lost && !c.Accounted(r.Requester, 0):
		return
	case lost:
		doubt = finding.DoubtLoss
	}
	f := report.Message("", m, doubt)
	if f == nil {
		return
	}
	whose := "which no captured call advertised"
	if g := j.Ledger().Newest(m.Invalidated); g != nil {
		whose = fmt.Sprintf("which belongs to the call with XID %s in frame %s", rules.Handle(g.XID), c.Capture.FrameName(g.Call))
		f.With(g.Call).Also(g.XID)
	}
	f.Messagef("the reply to XID 0x%08x invalidates handle 0x%08x, %s", m.Header.XID, m.Invalidated, whose)
	f.See("invalidated handle", rules.Handle(m.Invalidated), list(handles(nil, &r.Call.Header))).At(rules.InvalidatedAt(m))
}

// list names the handles of a call for a person.
func list(all []uint32) string {
	if len(all) == 0 {
		return "none: the call advertises no memory"
	}
	return "one of " + rules.Handles(all)
}

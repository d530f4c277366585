package hdr

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// superfluous judges an answer to no open call.
func superfluous(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	m := r.Reply
	failed := m.Header.Proc == rpcrdma.RDMAError && fixed(m)
	if answers(c, m) {
		return
	}
	before := c.History().Before(r)
	switch {
	case before == nil && m.Header.Version == rpcrdma.Version2: // V2-006
	case before == nil:
		if !failed || fromRequester(c, m) || !c.Recognised() {
			return
		}
		doubt, ok := complete(c, m)
		if !ok {
			doubt, ok = unseenVersion(c, m)
		}
		if !ok {
			return
		}
		due := dueBefore(c, m)
		if due != nil {
			report = report.Key(due.Call.Frame())
		}
		if f := report.Part("d", r, m, doubt); f != nil {
			what := "but there was no such call"
			if v := m.Header.Version; !defined(v) {
				what = fmt.Sprintf("but there was no such call, and no message had its version %d", v)
				f.See("rdma_vers", v, nil).Word(m, rpcrdma.AtVersion)
			}
			f.See("rdma_xid", rules.Handle(r.XID), nil).Word(m, rpcrdma.AtXID)
			f.Messagef("the %s sent an RDMA_ERROR for XID 0x%08x, %s", c.Sender(m.From), r.XID, what)
			if due != nil {
				f.Message += "; it came when the reply to " + calledIn(c, due) + " was due"
				f.See("XID of that call", rules.Handle(due.XID), nil).With(due.Call.Frame()).Also(due.XID)
			}
		}
	case before.Outcome != dissect.Unanswered && !before.Early && (failed || before.Outcome == dissect.Failed) && !c.JustBegun(before.Call) && !c.Disordered() &&
		before.Answer.Compare(m.Frame()) < 0 && before.Call.Compare(m.Frame()) < 0 && wentOn(c, m):
		if c.LostOf(r.Requester, before.Call) && !c.Accounted(r.Requester, 1) {
			return // the XID may be that of another call, which is missing
		}
		doubt := c.DoubtOf(r.Requester, before.Call)
		if c.Limited(rules.AnyCut, c.Connection.Cut > 0) {
			doubt = finding.DoubtSnap // the XID may be that of another call, which was cut off
		}
		if f := report.Part("f", r, m, doubt); f != nil {
			f.Messagef("the %s answered XID 0x%08x a second time, with %s after %s", c.Sender(m.From), r.XID, kind(failed), kind(before.Outcome == dissect.Failed))
			f.See("answers", 2, 1).With(before.Answer).Word(m, rpcrdma.AtXID)
		}
	}
}

// unseenVersion is complete for an RDMA_ERROR of a version that is not defined, on a connection that speaks another:
// that a call of that very version is missing is not as likely as that the responder made it up.
func unseenVersion(c *rules.Conn, m *dissect.Message) (doubt string, ok bool) {
	n, _ := c.Negotiation()
	if defined(m.Header.Version) || versionsOf(c).answered == 0 || n.Tried >= m.Header.Version || c.LackingOf(m.From.Peer()) || c.Disordered() || c.OneDirection() || !c.History().Complete() {
		return "", false
	}
	return "a call of its version may be missing from the capture", true
}

// dueBefore is the only call of its receiver that was open when an RDMA_ERROR came which answers none, and the reply to
// which was not due already when the one before it came; nil if there are several, or none.
func dueBefore(c *rules.Conn, m *dissect.Message) (due *dissect.RPC) {
	k, at, several := state.Of(c), m.Moment(), false
	c.EachOpen(func(r *dissect.RPC) {
		if r.Requester == m.From || r.Call == nil || !r.Call.Moment().Before(at) || r.Call.Moment().Before(k.strayed[m.From]) {
			return
		}
		several, due = due != nil, r
	})
	k.strayed[m.From] = at
	if several {
		return nil
	}
	return due
}

// calledIn names a call and its frame.
func calledIn(c *rules.Conn, r *dissect.RPC) string {
	what := "the call"
	if r.CallHeader() != nil {
		what = string(r.AppendName(nil, r.Ops(nil)))
	}
	return what + " in frame " + c.Capture.FrameName(r.Call.Frame())
}

func kind(failed bool) string {
	if failed {
		return "an RDMA_ERROR"
	}
	return "a reply"
}

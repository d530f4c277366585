package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// superfluous judges an answer to no open call.
func superfluous(c *rules.Conn, say rules.Say, r *dissect.RPC) {
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
			return
		}
		if f := say.Part("d", r, m, doubt); f != nil {
			f.Sayf("the %s sent an RDMA_ERROR for 0x%08x, which was never called", c.Sender(m.From), r.XID)
			f.See("rdma_xid", rules.Handle(r.XID), nil).Word(m, rpcrdma.AtXID)
		}
	case before.Outcome != dissect.Unanswered && !before.Early && (failed || before.Outcome == dissect.Failed) && !c.JustBegun(before.Call) && !c.Disordered() &&
		before.Answer.Compare(m.Frame()) < 0 && before.Call.Compare(m.Frame()) < 0 && wentOn(c, m):
		if c.LostOf(r.Requester, before.Call) && !c.Accounted(r.Requester, 1) {
			return // the XID may be that of another call, which is missing
		}
		if f := say.Part("f", r, m, c.DoubtOf(r.Requester, before.Call)); f != nil {
			f.Sayf("the %s answered 0x%08x once more, with %s after %s", c.Sender(m.From), r.XID, kind(failed), kind(before.Outcome == dissect.Failed))
			f.See("answers", 2, 1).With(before.Answer).Word(m, rpcrdma.AtXID)
		}
	}
}

func kind(failed bool) string {
	if failed {
		return "an RDMA_ERROR"
	}
	return "a reply"
}

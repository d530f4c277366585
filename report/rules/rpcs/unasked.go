package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// unasked judges an answer without a call.
func unasked(c *rules.Conn, report rules.Reporter, r *dissect.RPC, wentOn bool) {
	m := r.Reply
	before, sentAgain, begun := c.History().Before(r), resent(c, r), c.History().FirstAnswer()
	letter, doubt := "a", ""
	late := c.BeganLate() && !c.JustBegun(m.Frame())
	_, setUp := c.Thresholds() // the whole setup was captured, and so where the sequence numbers begin
	switch {
	case before == nil && (!wentOn || state.Of(c).uncertainCall || !setUp && !late || begun == (flow.Ref{}) || begun.Compare(m.Frame()) > 0 || m.Header.Proc == rpcrdma.RDMAError):
		return
	case before == nil:
		var ok bool
		if doubt, ok = c.Lacking(r.Requester, m.Frame(), 1); !ok {
			return
		}
	case before.Outcome != dissect.Unanswered && before.Answer.Compare(before.Call) < 0 || c.JustBegun(before.Call) || c.Disordered() || before.Call.Compare(m.Frame()) > 0:
		return // another call with that XID may be missing, or was told late
	case c.LostOf(r.Requester, before.Call) && !c.Accounted(r.Requester, 1):
		return // and so here
	default:
		doubt = c.DoubtOf(r.Requester, before.Call)
	}
	switch {
	case before == nil:
	case sentAgain:
		letter = "c"
	case !wentOn:
		return
	default:
		letter = "b"
	}
	f := report.RPC(letter, r, doubt)
	if f == nil {
		return
	}
	f.Word(m, rpcrdma.AtXID).See("rdma_xid", rules.Handle(r.XID), nil)
	who := c.Sender(m.From)
	switch {
	case before == nil:
		f.Messagef("the %s sent a reply with an XID that no open call on this connection has", who)
		return
	case sentAgain:
		f.Messagef("the %s answered again a call that had been retransmitted", who)
	default:
		f.Messagef("the %s answered a call a second time, %s after the first answer", who, rules.Duration(m.Last-before.AnswerTime))
	}
	if before.Program != 0 {
		f.Call = string(rpc.AppendLabel(nil, before.Program, before.Version, before.Procedure))
	}
	frame, _ := last(before)
	f.See("frame of the answer before", frame.Number, nil).With(frame)
}

// late judges an answer by how long its call waited.
func late(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	limit := int64(c.Capture.Config.Unanswered)
	if ns, ok := r.Latency(); ok && ns > limit {
		if f := report.RPC("c", r, ""); f != nil {
			f.Messagef("the %s answered after %s", c.Sender(r.Reply.From), rules.Duration(ns)).Word(r.Reply, rpcrdma.AtXID)
			f.See("time until the answer", finding.Nanoseconds(ns), finding.AtMost(finding.Nanoseconds(limit)))
		}
		return
	}
	if !state.Of(c).resent {
		return
	}
	before := c.History().Before(r)
	if before == nil || !again(before) || c.Disordered() || before.CallTime > r.Reply.First || c.EmittedLate(before.Call) || c.LostOf(r.Requester, before.Call) && !c.Accounted(r.Requester, 0) {
		return
	}
	if f := report.RPC("c", r, c.DoubtOf(r.Requester, before.Call)); f != nil {
		f.Messagef("the %s answered a call that had been retransmitted, %s after the call was first sent", c.Sender(r.Reply.From), rules.Duration(r.Reply.First-before.CallTime))
		f.Word(r.Reply, rpcrdma.AtXID).See("frame of the first sending", before.Call.Number, nil).With(before.Call)
	}
}

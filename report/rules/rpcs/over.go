package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// message002 notes a message of which nobody knows whether it is a call.
func message002(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if rules.Unclear(m) {
		state.Of(c).uncertainCall = true
	}
}

// checked002 notes a call that was over since its XID served another: any message may
// answer it from now on.
func checked002(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if r.Unreplied() && !extended(r.Call) {
		state.Of(c).resent = true
	}
}

// again reports whether a call had no answer when its XID served the next one.
func again(p *dissect.PastCall) bool {
	return p.Outcome == dissect.Unanswered && !(p.Transport == rpcrdma.Version2 && p.Proc == rpcrdma.RDMA2Optional)
}

// resent reports whether any remembered call with the XID of an RPC was retransmitted.
func resent(c *rules.Conn, r *dissect.RPC) bool {
	for p := range c.History().Unanswered(r) {
		if again(p) {
			return true
		}
	}
	return false
}

// last is the frame of the answer to a call, or of the call if there is none, and when
// it was captured.
func last(p *dissect.PastCall) (flow.Ref, int64) {
	if p.Outcome == dissect.Unanswered {
		return p.Call, p.CallTime
	}
	return p.Answer, p.AnswerTime
}

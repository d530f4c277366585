package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// over is what the rules about answers know of the calls of a connection, beside what
// its History has.
type over struct {
	// odd says that there was a message of which nobody knows whether it is a call,
	// resent that a call was over since its XID served another, so that any message
	// may answer it.
	odd, resent bool
}

// Hooks looks for the first call that is over without an answer, after the rules have
// seen it.
func (o *over) Hooks(c *rules.Conn) rules.Hooks {
	message := func(m *dissect.Message) { o.odd = o.odd || rules.Unclear(m) }
	return rules.Hooks{
		MessageOf: rules.Roleless | rules.OtherVersion, Message: message,
		JudgedOf: rules.WithoutReply,
		Judged: func(r *dissect.RPC) {
			if r.Reply == nil && !o.resent && !extended(r.Call) {
				o.resent = true
				c.Await(true)
			}
		},
	}
}

// again reports whether a call had no answer when its XID served the next one.
func again(p *dissect.PastCall) bool {
	return p.Outcome == dissect.Unanswered && !(p.Transport == rpcrdma.Version2 && p.Proc == rpcrdma.RDMA2Optional)
}

// resent reports whether any remembered call with the XID of an RPC was sent again.
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

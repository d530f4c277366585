package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Responder), rules.Uncalled),
			rules.LikelyIf(rules.Lossy, rules.Disordered, rules.NothingFollows.From(rules.Responder)),
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithoutReply, rpc001)},
	}
}

// doubtLast is why a responder may have answered after all.
const doubtLast = "a reply may be missing from the capture: no later message from the responder rules that out"

// neverAnswered reports whether nothing answered a call that should have been, of an RPC that is over: until when, and
// whether that is the end of its connection.
func neverAnswered(c *rules.Conn, r *dissect.RPC) (end int64, closed, ok bool) {
	if !r.Unreplied() || r.Call == nil || !c.RolesKnown || r.Call.Header.Fault.Bad() || extended(r.Call) || c.OneDirection() || c.LostOf(r.Requester.Peer(), r.Call.Frame()) || !c.Called(r) {
		return 0, false, false
	}
	closed, end = true, c.LastTime
	switch c.Closing {
	case flow.Open:
		if !c.Capture.Over {
			return 0, false, false // its XID serves another call: RPC-003
		}
		closed, end = false, max(end, c.Capture.Now)
	case flow.Replaced:
		closed = false // nobody knows when it ended
	}
	return end, closed, (closed || end-r.Call.Last > int64(c.Capture.Config.Unanswered)) && !mayGoUnanswered(r.CallHeader())
}

func rpc001(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	end, over, ok := neverAnswered(c, r)
	if !ok {
		return
	}
	age := end - r.Call.Last
	if f := report.RPC("", r, answeredAfterAll(c, r)); f != nil {
		s := stageOf(r, c.LastSeen(r.Requester.Peer()).Time)
		what := "connection"
		if !over {
			what = "capture"
		}
		f.Messagef("the %s had not answered the call when the %s ended %s later; %s", c.Sender(r.Requester.Peer()), what, rules.Duration(age), s.text)
		f.Advise("%s", s.advice)
		f.See("time without an answer", finding.Nanoseconds(age), nil)
		if h := &r.Call.Header; len(h.Reads) > 0 {
			f.See("bytes read of the call's Read chunks", r.Offer.ReadBytes, nil)
		}
		if h := &r.Call.Header; len(h.Writes) > 0 || h.HasReply {
			f.See("bytes written to its Write and Reply chunks", r.Offer.WriteBytes, nil)
		}
		f.Word(r.Call, rpcrdma.AtXID)
	}
}

// answeredAfterAll is why a call that neverAnswered reports may have been answered, "" if it cannot.
func answeredAfterAll(c *rules.Conn, r *dissect.RPC) (doubt string) {
	if c.Lossy() {
		return finding.DoubtLoss
	} else if c.Disordered() {
		return finding.DoubtOrder
	} else if broken := c.Closing == flow.Terminated || c.Closing == flow.Reset; !broken &&
		c.Spoke(r.Requester.Peer())-r.Call.Last <= int64(c.Capture.Config.Unanswered) {
		return doubtLast
	}
	return ""
}

// extended reports whether a message is an RDMA2_OPTIONAL: what may answer it, and
// whether it is all of an RPC message, only its extension says.
func extended(m *dissect.Message) bool {
	return m.Header.Version == rpcrdma.Version2 && m.Header.Proc == rpcrdma.RDMA2Optional
}

// mayGoUnanswered reports whether a responder may leave a call without a reply.
func mayGoUnanswered(h *rpc.Call) bool {
	switch {
	case h == nil:
		return false
	case h.Control() && h.Cred.GSS.Proc == rpc.GSSDestroy:
		return true
	}
	const firstAsync, lastAsync = 6, 15 // NLM_TEST_MSG to NLM_GRANTED_RES
	return h.Program == rpc.ProgramNLM && h.Procedure >= firstAsync && h.Procedure <= lastAsync
}

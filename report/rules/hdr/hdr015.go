package hdr

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr015() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Unpaired, rules.JustBegun), rules.LikelyIf(rules.BeganLate),
			rules.SilentOrLikelyIf(rules.Uncalled, rules.LostAround.From(rules.Responder)),
			rules.LikelyIf(rules.LostSince.From(rules.Requester)),
			rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Responder), rules.NearEnd).Of("a missing answer"),
			rules.SilentIf(rules.BeganLate, rules.Disordered).Of("a missing answer to an undefined version"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{onOtherVersion(otherVersion015), rules.OnCheckedRPC(rules.Malformed|rules.WithoutInline|rules.OtherXID, checked015), rules.OnEnd(end015)},
	}
}

func checked015(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil {
		return
	}
	why, only := refusable(c, r)
	if why == "" {
		return
	}
	doubt, ok := c.LikelyCalled(r)
	if !ok {
		return
	}
	if m := r.Reply; m == nil {
		at := rpcrdma.AtXID
		if h := &r.Call.Header; h.Fault.Bad() {
			at = h.Fault.Offset
		} else if uncarried(r.Call) != "" {
			at = rpcrdma.AtProc
		}
		unanswered(c, report, rules.PastPart(r.Call, at, xdr.WordSize), why, doubt)
	} else if m.Header.Proc != rpcrdma.RDMAError && !m.Header.Fault.Bad() && c.Paired(r) {
		s := report
		if only {
			s = report.As(finding.Note)
		}
		if f := s.Part("", r, m, cmp.Or(doubt, c.DoubtOf(r.Requester, r.Call.Frame()))); f != nil {
			f.Messagef("the %s replied to a call with %s", c.Sender(m.From), why)
			f.See("answer", m.Header.Proc.String(), "RDMA_ERROR").With(r.Call.Frames...).Word(m, rpcrdma.AtProc)
		}
	}
}

func end015(c *rules.Conn, report rules.Reporter) {
	for s := range c.History().Unpaired().All() {
		// It may be an answer itself, to a reverse call that is missing.
		if s.Version != rpcrdma.Version1 && s.Version != rpcrdma.Version2 && !s.Answered() && s.From == c.ClientEnd && !c.BeganLate() && !c.Disordered() {
			call := rules.PastMessage{Moment: flow.Moment{Ref: s.Frame, Time: s.Time}, From: s.From, XID: s.XID}
			unanswered(c, report, call, "an undefined version", "")
		}
	}
}

// refusable says why the responder had to refuse the call of an RPC, "" if it had
// not; only is that nothing is wrong but the XID.
func refusable(c *rules.Conn, r *dissect.RPC) (why string, only bool) {
	switch {
	case r.Call.Header.Version != rpcrdma.Version1:
		return "", false
	case illegal(c, r.Call) != "":
		return "a header that cannot be decoded", false
	case uncarried(r.Call) != "":
		return "no chunk for its RPC message", false
	case otherXID(r):
		return "a different XID in its RPC message", true
	}
	return "", false
}

// unanswered reports a call that got nothing although later ones were answered.
func unanswered(c *rules.Conn, report rules.Reporter, call rules.PastMessage, why, doubt string) {
	later := c.History().AnsweredCall(call.From)
	if later.Compare(call.Ref) <= 0 || c.OneDirection() || c.LostOf(call.From.Peer(), call.Ref) || c.EndGuard(call.Time) {
		return
	}
	if c.LastTime-call.Time <= int64(c.Capture.Config.Consequence) {
		return // its end may be the answer, also if that is not in the capture
	}
	if f := report.NoAnswer("", &call, doubt); f != nil {
		f.Messagef("the %s did not answer the call with XID %s in frame %s, which has %s, but answered later calls up to the one in frame %s", c.Sender(call.From.Peer()),
			rules.Handle(call.XID), c.Capture.FrameName(call.Ref), why, c.Capture.FrameName(later))
		f.See("answer", "none", "RDMA_ERROR").See("time without an answer", finding.Nanoseconds(c.LastTime-call.Time), nil).With(later)
	}
}

// A message of another version is in no RPC.
func otherVersion015(c *rules.Conn, x *otherVersion, report rules.Reporter) {
	m := (*dissect.Message)(x)
	asked := m.Request()
	if asked == nil || asked.Failed || asked.Version == rpcrdma.Version2 || !m.Answer || m.Header.Fault.Bad() {
		return
	}
	if f := report.Message("", m, ""); f != nil {
		f.Messagef("the %s replied to a call of version %d", c.Sender(m.From), asked.Version)
		f.See("answer", m.Header.Proc.String(), "RDMA_ERROR").With(asked.Frame).Word(m, rpcrdma.AtProc)
	}
}

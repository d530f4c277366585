package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func v2005() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Disordered, rules.Unpaired, rules.Uncalled, rules.Cut),
			rules.LikelyIf(rules.Lossy.From(rules.Client)),
			rules.SilentIf(rules.LostSince.From(rules.Client), rules.NothingFollows.From(rules.Client)).Of("a call without an answer"),
		},
		Fields: values.BackChannelFields(),
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message005), rules.OnRPC(rules.OtherVersion, rpc005)},
	}
}

// doubtReason is why a client may have left a call without an answer.
const doubtReason = "the client may have ended the connection for another reason"

func message005(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	k := state.Of(c)
	if k.asked != (flow.Ref{}) || !sound(c, m) || m.Role() != dissect.RoleCall || !m.HasRPC || !c.ToServer(m.From) || !values.IsCompound(&m.CallHeader) {
		return
	}
	if k.back == nil {
		k.back = values.NewBackChannel()
	}
	if b := m.Body(); b != nil && k.back.Asks(b) {
		k.asked = m.Frame()
	}
}

func rpc005(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if !c.RolesKnown || !r.Reverse() || !sound(c, r.Call) || r.Call.Role() != dissect.RoleCall || !c.Called(r) {
		return
	}
	asked := state.Of(c).asked
	ready := asked != (flow.Ref{}) && asked.Compare(r.Call.Frame()) < 0
	switch {
	case !c.Established || c.BeganLate() || c.OneDirection() || c.Disordered() || !required(c, r.Call, ready):
	case r.Reply != nil:
		refusedCall(c, report, r)
	default:
		ignoredCall(c, report, r)
	}
}

// required reports whether the client has to take a call of the server, where it asked
// for a back channel before or not.
func required(c *rules.Conn, m *dissect.Message, ready bool) bool {
	said, announced := c.Characteristics(c.ClientEnd).At(rpcrdma.XcharBRS, m.Frames[0], m.First)
	takes := rpcrdma.ReverseUnknown
	if announced {
		takes = rpcrdma.ReverseSupport(said.Value)
	}
	switch takes {
	case rpcrdma.ReverseSizeLimited, rpcrdma.ReverseGeneral:
		ready = true
	case rpcrdma.ReverseNone:
		ready = false
	}
	chunks := len(m.Header.Reads) > 0 || len(m.Header.Segments) > 0
	limit, known := c.Thresholds()
	switch {
	case !ready, announced && !said.Known, chunks && takes != rpcrdma.ReverseGeneral:
		return false
	case known && m.Length > limit.ToClient:
		return false
	}
	return m.Length <= rpcrdma.Version2Threshold
}

// doubtAnnounced is why the client may not have to take a call of the server: what it
// announced may be missing.
func doubtAnnounced(c *rules.Conn) string {
	if c.LackingOf(c.ClientEnd) {
		return finding.DoubtLoss
	}
	return ""
}

// refusedCall judges the answer to a call of the server.
func refusedCall(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	m := r.Reply
	if !sound(c, m) || m.Header.Proc != rpcrdma.RDMAError || !c.Paired(r) {
		return
	}
	switch m.Header.Error {
	case rpcrdma.ErrVers, rpcrdma.Err2BadXDR, rpcrdma.Err2InvalidProc:
	default:
		return
	}
	if f := report.Part("", r, m, doubtAnnounced(c)); f != nil {
		f.Messagef("the client answered a reverse-direction call with %s", m.Header.ErrorName())
		f.See("answer", m.Header.ErrorName(), "a reply").Word(m, m.Header.ErrorAt()).With(r.Call.Frames...)
	}
}

// ignoredCall judges that a call of the server got no answer.
func ignoredCall(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	m := r.Call
	since := c.LastTime - m.Last
	if c.LostOf(c.ClientEnd, m.Frame()) {
		return // its answer may be missing
	}
	what, doubt := "", doubtAnnounced(c)
	switch {
	case since >= int64(c.Capture.Config.Unanswered) && c.WentOn(c.ClientEnd, m.Moment()):
		what = "did not answer a reverse-direction call for " + rules.Duration(since)
	case since <= int64(c.Capture.Config.Consequence) && c.Closing == flow.Terminated && c.TerminatedBy == c.ClientEnd && !c.WentOn(c.ClientEnd, m.Moment()):
		what, doubt = "ended the connection after a reverse-direction call", doubtReason
	default:
		return
	}
	if f := report.Part("", r, m, doubt); f != nil {
		f.From = c.ClientEnd
		f.Messagef("the client %s", what)
		f.See("answer", "none", "a reply")
	}
}

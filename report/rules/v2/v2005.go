package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func v2005() *rules.Rule {
	return &rules.Rule{
		ID: "V2-005", Title: "Reverse direction not supported",
		Severity: rules.Warning,
		Since:    "0.6",
		Meaning: "A call of the server in version 2 got an RDMA2_ERROR, or nothing for a long time, or the client ended the connection by a Terminate at once. " +
			"The client had not announced that it takes none.",
		Why: "Version 2 requires every peer to support the reverse direction. Without it the server cannot recall delegations and layouts on this " +
			"connection, and other clients wait for them.",
		Advice: "Look at whether the client has receives for calls of the server, and code that answers them. A client that wants none can " +
			"announce XCHAR_BRS with BKRQSUP_NONE.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2.2; draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3.3",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.Unpaired, rules.Uncalled, rules.Cut),
			rules.SilentIf(rules.Unheard.From(rules.Client)).Of("a call without an answer"),
		},
		Limits: "Calls with chunks, or above the inline threshold, need not be taken, and are left out unless the client announced " +
			"BKRQSUP_GENL. Silent until the client announced that it takes calls, or asked for a back channel on the connection by " +
			"a call that can be read. Silence counts behind the time that is configured for calls without a reply (30 s), or if " +
			"the client ends the connection at once. Over RoCE it cannot be seen why a client ends a connection.",
		Fields: values.BackChannelFields(),
		Causes: []string{"CREDIT-007", "CREDIT-006", "TRANS-003", "THRESH-004"},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message005), rules.OnRPC(rules.OtherVersion, rpc005)},
		Fires: []rules.Sample{
			{Name: "the client refuses a callback", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				error 2 INVAL_PROC
				    want V2-005
				    want V2-007a err
				disconnect`},
			{Name: "a client that said that it takes callbacks says nothing", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [BRS=SZLIM]
				optional 1 server INIT_XCHAR [BRS=GENL]
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 2
				callback 3 CB_NULL
				    want V2-005
				wait 40s
				call 4 NFS4 NULL
				reply 4
				disconnect`},
			{Name: "the client has no receive for it", Over: rules.IWARP, Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				wait 10s
				callback 2 CB_NULL
				    want V2-005
				terminate client 1/2/2
				    want TRANS-012
				reset client`},
		},
		Silent: []rules.Sample{
			{Name: "the client replies that it has no such procedure", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				reply 2 PROC_UNAVAIL
				disconnect`},
			{Name: "the client announced that it takes none", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [BRS=NONE]
				optional 1 server INIT_XCHAR [BRS=GENL]
				call 2 NFS4 NULL
				reply 2
				callback 3 CB_NULL
				    want XCHAR-011a
				    want CREDIT-007
				error 3 BAD_XDR
				disconnect`},
			{Name: "a callback with a chunk, to a client that takes none with chunks", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [BRS=SZLIM]
				optional 1 server INIT_XCHAR [BRS=GENL]
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 2
				callback 3 CB_COMPOUND [CB_GETATTR{fh="fh"}]
				    replychunk 0x1001 4096
				    want XCHAR-011a
				error 3 BAD_XDR
				disconnect`},
			{Name: "the reply may be missing", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				reply 2
				    drop
				wait 40s
				call 3 NFS4 NULL
				reply 3
				disconnect`},
			{Name: "the client did not make the connection one for callbacks", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=1}]
				reply 1
				callback 2 CB_NULL
				    want CREDIT-007
				error 2 BAD_XDR
				disconnect`},
			{Name: "the server ends the connection itself", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				disconnect server`},
			{Name: "a reply may come behind the end of the capture", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL`},
		},
	}
}

// doubtReason is why a client may have left a call without an answer.
const doubtReason = "the client may have ended the connection for another reason"

func message005(c *rules.Conn, m *dissect.Message, say rules.Say) {
	k := of(c)
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

func rpc005(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if !c.RolesKnown || !r.Reverse() || !sound(c, r.Call) || r.Call.Role() != dissect.RoleCall || !c.Called(r) {
		return
	}
	asked := of(c).asked
	ready := asked != (flow.Ref{}) && asked.Compare(r.Call.Frame()) < 0
	switch {
	case !proven(c) || !required(c, r.Call, ready): // what was announced may be missing
	case r.Reply != nil:
		refusedCall(c, say, r)
	default:
		ignoredCall(c, say, r)
	}
}

// required reports whether the client has to take a call of the server, where it asked
// for a back channel before or not.
func required(c *rules.Conn, m *dissect.Message, ready bool) bool {
	said, announced := c.Characteristics(c.ClientEnd).At(rpcrdma.XcharBRS, m.Frames[0], m.First)
	takes := rpcrdma.BackwardUnknown
	if announced {
		takes = rpcrdma.BackwardSupport(said.Value)
	}
	switch takes {
	case rpcrdma.BackwardSizeLimited, rpcrdma.BackwardGeneral:
		ready = true
	case rpcrdma.BackwardNone:
		ready = false
	}
	chunks := len(m.Header.Reads) > 0 || len(m.Header.Segments) > 0
	limit, known := c.Thresholds()
	switch {
	case !ready, announced && !said.Known, chunks && takes != rpcrdma.BackwardGeneral:
		return false
	case known && m.Length > limit.ToClient:
		return false
	}
	return m.Length <= rpcrdma.Version2Threshold
}

// refusedCall judges the answer to a call of the server.
func refusedCall(c *rules.Conn, say rules.Say, r *dissect.RPC) {
	m := r.Reply
	if !sound(c, m) || m.Header.Proc != rpcrdma.RDMAError || !c.Paired(r) {
		return
	}
	switch m.Header.Error {
	case rpcrdma.ErrVers, rpcrdma.Err2BadXDR, rpcrdma.Err2InvalidProc:
	default:
		return
	}
	if f := say.Part("", r, m, ""); f != nil {
		f.Sayf("the client answers a call of the server with %s", m.Header.ErrorName())
		f.See("answer", m.Header.ErrorName(), "a reply").Word(m, m.Header.ErrorAt()).With(r.Call.Frames...)
	}
}

// ignoredCall judges that a call of the server got no answer.
func ignoredCall(c *rules.Conn, say rules.Say, r *dissect.RPC) {
	m := r.Call
	since := c.LastTime - m.Last
	what, doubt := "", ""
	switch {
	case since >= int64(c.Capture.Config.Unanswered) && c.WentOn(c.ClientEnd, m.Moment()):
		what = "did not answer a call of the server for " + rules.Duration(since)
	case since <= int64(c.Capture.Config.Consequence) && c.Closing == flow.Terminated && c.TerminatedBy == c.ClientEnd && !c.WentOn(c.ClientEnd, m.Moment()):
		what, doubt = "ended the connection when the server had called it", doubtReason
	default:
		return
	}
	if f := say.Part("", r, m, doubt); f != nil {
		f.From = c.ClientEnd
		f.Sayf("the client %s", what)
		f.See("answer", "none", "a reply")
	}
}

package credit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func credit007() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-007", Title: "Callback before the client is ready",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The server sent a call to the client on a connection that the client had not made one for callbacks: neither " +
			"CREATE_SESSION with CREATE_SESSION4_FLAG_CONN_BACK_CHAN nor BIND_CONN_TO_SESSION was sent there before, nor in version 2 an " +
			"XCHAR_BRS of at least BKRQSUP_SZLIM.",
		Why: "A client that expects no callbacks has receives for replies only. The callback takes one of them, so that a reply finds " +
			"none, and the connection is lost; a server that tries again on each new connection keeps the client from ever working.",
		Advice: "Let the server send callbacks only on connections that a session's back channel is bound to. A session that is bound " +
			"on another connection does not count.",
		Reference: "RFC 8167, section 6; RFC 8881, sections 2.10.3.1, 18.34 and 18.36; " +
			"draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3.3",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.NearEnd),
			rules.LikelyIf(rules.Unheard.From(rules.Client)),
		},
		Limits: "Silent about a long callback, and behind a call that cannot be read: one that is encrypted, long, or of a program " +
			"that is not one of NFS's.",
		Causes: []string{"XCHAR-011a"},
		Fields: values.BackChannelFields(),
		Needs:  []rules.Knowledge{accounts()},
		On: []rules.Event{
			rules.OnMessage(rules.Calling, message007), onEvent(whileUnready, event007), rules.OnEnd(end007),
		},
		Fires: []rules.Sample{
			{Name: "a callback on a connection without a session", Scene: `
				connect
				call 1 NFS4 NULL
				reply 1
				callback 2 CB_NULL
				    want CREDIT-007 8+4
				reply 2
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
				disconnect`},
			{Name: "a callback of version 2, and the client said nothing of its support", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [RBSIZ=4096]
				call 1 NFS4 NULL
				reply 1
				callback 2 CB_NULL
				    want CREDIT-007 8+4
				reply 2
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
				disconnect`},
			{Name: "the session has no back channel on this connection", Scene: `
				connect
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=1}]
				reply 2
				callback 3 CB_NULL
				    want CREDIT-007 8+4
				reply 3
				disconnect`},
			{Name: "the connection is bound for calls only", Scene: `
				connect
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND [BIND_CONN_TO_SESSION{dir=CDFC4_FORE}]
				reply 2
				callback 3 CB_NULL
				    want CREDIT-007 8+4
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a callback of version 2, and the client announced that it takes small ones", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [BRS=SZLIM]
				call 1 NFS4 NULL
				reply 1
				callback 2 CB_NULL
				reply 2
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
				disconnect`},
			{Name: "the session has a back channel on this connection", Scene: reverse + `
				callback 3 CB_NULL
				reply 3
				disconnect`},
			{Name: "the connection is bound to the session", Scene: `
				connect
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND [BIND_CONN_TO_SESSION{dir=CDFC4_FORE_OR_BOTH}]
				reply 2
				callback 3 CB_NULL
				reply 3
				disconnect`},
			{Name: "the session is created under encryption", Scene: `
				connect
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND raw=bytes(200)
				    cred gss service=privacy seq=2 handle=hex(01020304)
				reply 2 raw=bytes(100)
				callback 3 CB_NULL
				reply 3
				disconnect`},
			{Name: "a long reply that the client is to read is no callback", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				send server hex(00001002 00000001 00000020 00000001
				                00000001 00000000 00002001 00000018 0000000020010000 00000000 00000000 00000000)
				    want HDR-009
				rdma read client 0x2001 24@0x20010000
				    data hex(00001002 00000001 00000000 00000000 00000000 00000000)
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "the call that creates the session is missing from the capture", Scene: `
				connect
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				    drop
				reply 2
				callback 3 CB_NULL
				reply 3
				call 4 NFS4 COMPOUND [SEQUENCE]
				reply 4
				disconnect`},
		},
	}
}

// doubtClient is why the client may have been ready after all.
const doubtClient = "no message of the client follows that would show that none is missing from the capture"

// supported reports whether a callback is one of version 2, of which the client said that
// it takes them, or may have.
func supported(c *rules.Conn, e *event) bool {
	if e.version != rpcrdma.Version2 {
		return false
	}
	x, said := c.Characteristics(c.ClientEnd).At(rpcrdma.XcharBRS, e.Ref, e.Time)
	return said && (!x.Known || x.Value >= uint32(rpcrdma.BackwardSizeLimited))
}

// message007 reads what a call of the client says about callbacks.
func message007(c *rules.Conn, m *dissect.Message, _ rules.Say) {
	if m.Role() != dissect.RoleCall || !c.RolesKnown || !c.ToServer(m.From) || c.BeganLate() {
		return
	}
	if k := ifAny(c); k != nil && k.ready {
		return
	}
	if a := rules.KeptIf[account](c, rules.KeepsCREDITAccount); a != nil && a.newest != nil && a.newest.kind == called {
		a.newest.ready = ofCapture(c).readies(m)
	}
}

func event007(a *account, e *event, say rules.Say) {
	c, k := a.c, of(a.c)
	switch {
	case !c.RolesKnown:
	case !c.ToServer(e.from):
		if e.kind == called && k.early == nil && !supported(c, e) {
			early := *e
			k.early = &early
		}
	default:
		// What the callback came before counts; what came between is missing.
		k.unready(c, say)
		k.ready = e.ready != notReady
	}
}

// unready tells of a callback that came too early.
func (k *kept) unready(c *rules.Conn, say rules.Say) {
	early := k.early
	if early == nil {
		return
	}
	k.early = nil
	if _, setUp := c.Thresholds(); !setUp || !c.WholeSoFar() || c.Disordered() {
		return
	}
	doubt := ""
	if !c.WentOn(c.ClientEnd, early.Moment) {
		doubt = doubtClient
	}
	if f := say.Moment("", early.frame, early.Time, &early.from, doubt); f != nil {
		f.XID, f.HasXID = early.xid, true
		f.Sayf("the server sends a callback, and the client did not make this connection one for callbacks")
		f.See("back channel bound", false, true).At(early.place)
	}
}

func end007(c *rules.Conn, say rules.Say) {
	if k := ifAny(c); k != nil && k.early != nil && !(c.Closing == flow.Open && c.EndGuard(k.early.Time)) {
		k.unready(c, say)
	}
}

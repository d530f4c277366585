package credit

import "github.com/rdmacap/rdmacap/report/rules"

func credit001() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-001", Title: "Credit overrun",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The client sent a call while it already had as many calls without a reply as it may have: " +
			"the lower of what the server granted in its replies and what the client itself asks for.",
		Why: "The server has receives posted for as many calls as it granted. A call that finds none draws an RNR NAK, over iWARP " +
			"a Terminate, and usually costs the connection; every call that was open is then sent again on the next one.",
		Advice: "Look at how the client counts the calls that it has open: whether it takes the newest grant, counts a call that " +
			"was sent again, and gives a credit back only when the reply is there.",
		Reference: "RFC 8166, section 3.3.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.NearEnd).Since("the oldest open call"),
			rules.LikelyIf(rules.Disordered, rules.Unheard.From(rules.Responder)),
		},
		Limits: "Silent before the first reply, which CREDIT-002 is about. A lowered grant counts after one to two seconds, and where " +
			"others may be missing before it, after two to three; a call that was sent again on the same connection counts once. " +
			"Where frames are out of order, or come from several files at a time, there is none if a reply follows within 64 " +
			"frames that would excuse the call.",
		Wide:   true,
		Causes: []string{"CREDIT-004"},
		Needs:  []rules.Knowledge{accounts()},
		On:     []rules.Event{onEvent(inForward*ofCalls|whileOverrun, event001), rules.OnEnd(end001)},
		Fires: []rules.Sample{
			{Name: "three calls where two credits are granted", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 2
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				call 4 NFS3 GETATTR
				    want CREDIT-001 8+4
				reply 2
				reply 3
				reply 4
				disconnect`},
			{Name: "two calls, each of which asks for one credit", Scene: `
				connect
				call 1 NFS3 GETATTR
				    credits 1
				reply 1
				call 2 NFS3 GETATTR
				    credits 1
				call 3 NFS3 GETATTR
				    credits 1
				    want CREDIT-001 8+4
				reply 2
				reply 3
				disconnect`},
			{Name: "the connection ends without a reply", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				    want CREDIT-001 8+4
				disconnect`},
			{Name: "a lowered grant is not heeded for seconds", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 8
				call 2 NFS3 GETATTR
				reply 2
				    credits 2
				wait 3s
				call 3 NFS3 GETATTR
				call 4 NFS3 GETATTR
				call 5 NFS3 GETATTR
				    want CREDIT-001 8+4
				reply 3
				reply 4
				reply 5
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "as many calls as are granted", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 3
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				call 4 NFS3 GETATTR
				reply 2
				    credits 3
				call 5 NFS3 GETATTR
				reply 3
				reply 4
				reply 5
				disconnect`},
			{Name: "the grant was lowered just before", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 8
				call 2 NFS3 GETATTR
				reply 2
				    credits 6
				call 3 NFS3 GETATTR
				call 4 NFS3 GETATTR
				call 5 NFS3 GETATTR
				call 6 NFS3 GETATTR
				call 7 NFS3 GETATTR
				call 8 NFS3 GETATTR
				call 9 NFS3 GETATTR
				reply 3
				reply 4
				reply 5
				reply 6
				reply 7
				reply 8
				reply 9
				disconnect`},
			{Name: "a reply is missing from the capture", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 2
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				reply 2
				    credits 2
				    drop
				call 4 NFS3 GETATTR
				reply 3
				    credits 2
				reply 4
				disconnect`},
			{Name: "a reply is told late, behind one that was captured out of order", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 2
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				reply 2
				    credits 2
				    noack
				    late 2
				call 4 NFS3 GETATTR
				    noack
				reply 3
				    credits 2
				reply 4
				disconnect`},
			{Name: "what was granted before the capture began is not known", Scene: `
				call 1 NFS3 NULL
				    drop
				reply 1
				    credits 16
				    drop
				call 2 NFS3 GETATTR
				reply 2
				    credits 6
				repeat 7
				call $+10 NFS3 GETATTR
				end
				repeat 7
				reply $+10
				end
				wait 3s
				call 20 NFS3 NULL
				reply 20`},
			{Name: "what was granted in a hole of the capture is not known", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				    credits 6
				call 2 NFS3 GETATTR
				reply 2
				    credits 16
				    drop
				call 3 NFS3 GETATTR
				reply 3
				    credits 6
				repeat 7
				call $+10 NFS3 GETATTR
				end
				repeat 7
				reply $+10
				end
				call 20 NFS3 NULL
				reply 20
				disconnect`},
			{Name: "a call is sent again with the same XID", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 1
				call 2 NFS3 GETATTR
				call 2 again
				reply 2
				disconnect`},
		},
	}
}

func event001(a *account, e *event, say rules.Say) {
	l := a.forward()
	if l.granted == 0 {
		return
	}
	if o, doubt := of(a.c).forward.look(a, l, e); o != nil {
		o.say(a.c, say, a.c.ClientEnd, doubt)
	}
}

func end001(c *rules.Conn, say rules.Say) {
	if k := ifAny(c); k != nil {
		if o, doubt := k.forward.end(accountOf(c)); o != nil {
			o.say(c, say, c.ClientEnd, doubt)
		}
	}
}

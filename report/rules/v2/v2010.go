package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
)

func v2010() *rules.Rule {
	return &rules.Rule{
		ID: "V2-010", Title: "Negotiation loop, or a limit that does not change",
		Severity: rules.Warning,
		Since:    "0.6",
		Meaning: "A client begins again with version 2 on a new connection to a server that let it down with that on the connections before. Case b: " +
			"both ends agreed on version 2, and the first Send that its larger limit allows is refused.",
		Why: "The mount never ends: each connection is lost over the same message. An end that agrees on version 2 and keeps receives of 1024 octets " +
			"loses the connection over the first message that needs more.",
		Advice: "Let the client remember for a time that a server is one of version 1, and begin with that. Let both ends post receives of 4096 " +
			"octets before they answer in version 2.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, sections 6.1 and 6.2",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered)},
		Limits: "A first try once more is let pass, and what is tried more than the configured time (60 s) behind the last loss: the " +
			"server may have been started anew. A NAK does not say why a request is invalid, so case b is only likely over RoCE.",
		Cases: []rules.Case{
			{Letter: "a", Title: "version 2 again and again", Severity: rules.Warning},
			{Letter: "b", Title: "the first Send above 1024 octets is refused", Severity: rules.Error,
				Advice: "Let the end that refused it post receives of 4096 octets, or announce less in XCHAR_RBSIZ, before it answers in version 2."},
		},
		Wide:   true,
		Causes: []string{"V2-009", "THRESH-006", "HDR-013", "V2-006", "V2-007"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refusal010), rules.OnMessage(rules.OtherVersion, message010), rules.OnEnd(end010), rules.OnPosted(ended010),
		},
		Fires: []rules.Sample{
			{Name: "version 2 on each connection", Scene: `
				repeat 3
				connect version=2
				call $ NFS3 NULL
				error $ ERR_VERS 1 1
				disconnect
				wait 1s
				end
				want V2-010a`},
			{Name: "the first message is never answered", Scene: `
				repeat 3
				connect version=2
				call $ NFS3 NULL
				wait 3s
				disconnect
				wait 1s
				end
				want V2-010a`},
			{Name: "a NAK for the first long Send", Over: rules.RoCE, Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				nak server invalid
				    want V2-010b
				    want TRANS-005
				disconnect`},
			{Name: "a Terminate for the first long Send", Over: rules.IWARP, Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(2000) count=2000
				terminate server 1/2/5
				    want V2-010b
				    want TRANS-012
				reset server`},
		},
		Silent: []rules.Sample{
			{Name: "version 1 on the second connection, and later version 2 again", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				disconnect
				wait 1s
				connect version=2
				call 2 NFS3 NULL
				error 2 ERR_VERS 1 1
				disconnect
				wait 1s
				connect version=1
				call 3 NFS3 NULL
				reply 3
				disconnect
				wait 1s
				connect version=2
				call 4 NFS3 NULL
				error 4 ERR_VERS 1 1
				disconnect`},
			{Name: "what happened on a connection between is not known", Scene: `
				repeat 2
				connect version=2
				call $ NFS3 NULL
				error $ ERR_VERS 1 1
				disconnect
				wait 1s
				end
				connect version=1
				    drop frame 1
				call 7 NFS3 NULL
				reply 7
				disconnect
				wait 1s
				connect version=2
				call 8 NFS3 NULL
				error 8 ERR_VERS 1 1
				disconnect`},
			{Name: "one more try", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				disconnect
				wait 1s
				connect version=2
				call 2 NFS3 NULL
				error 2 ERR_VERS 1 1
				wait 10ms
				version 1
				call 2 again
				reply 2
				disconnect`},
			{Name: "the server may have been started anew", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				disconnect
				wait 1s
				connect version=2
				call 2 NFS3 NULL
				error 2 ERR_VERS 1 1
				disconnect
				wait 120s
				connect version=2
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "another client", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				disconnect
				wait 1s
				connect version=2
				call 2 NFS3 NULL
				error 2 ERR_VERS 1 1
				disconnect
				wait 1s
				connect version=2 clientaddr=192.0.2.77
				call 3 NFS3 NULL
				error 3 ERR_VERS 1 1
				disconnect`},
			{Name: "the second long Send is refused", Over: rules.RoCE, Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(2000) count=2000
				reply 2 count=2000
				call 3 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				nak server invalid
				    want TRANS-005
				disconnect`},
			{Name: "a Send with Invalidate is refused", Over: rules.RoCE, Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=2000
				    write 0x1001 2000
				    inv 0x1001
				reply 2 data=bytes(2000)
				    unused
				    noack
				    want ULB-002
				nak client invalid
				    want TRANS-005
				disconnect`},
		},
	}
}

func message010(c *rules.Conn, m *dissect.Message, say rules.Say) {
	k := of(c)
	if !k.first.Seen() && spoken(m) && m.From == c.ClientEnd && m.Header.Proc != rpcrdma.RDMAError {
		k.first = pastWord(m, rpcrdma.AtVersion)
	}
	if e := m.From & 1; m.Length > rpcrdma.DefaultThreshold && spoken(m) && k.large[e] == (flow.Ref{}) && speaks2(c) {
		k.large[e] = m.Frame()
	}
}

func end010(c *rules.Conn, _ rules.Say) {
	n, tried := c.Negotiation()
	x := ended{
		hosts: c.Hosts(), tried: tried && n.Tried == rpcrdma.Version2 && n.By == c.ClientEnd, agreed: n.Agreed != 0, proven: proven(c),
		closing: c.Closing, began: c.FirstTime, end: c.LastTime, last: c.Last,
	}
	if k := ifAny(c); k != nil {
		x.first = k.first
	}
	rules.Post(c, x)
}

func ended010(e *rules.Entry, x *ended, say rules.Say) {
	rules.KeptAcross[history](e.Across, rules.KeepsV2).ended(x, say, int64(e.Config().ReconnectTime))
}

// unchanged tells of the first Send that version 2 allows and that is refused.
func unchanged(c *rules.Conn, say rules.Say, s *requests.Request, r *requests.Refusal) {
	limit := rpcrdma.Version2Threshold
	if x, ok := c.Characteristics(r.From).At(rpcrdma.XcharRBSIZ, s.Begin, s.Time); ok {
		if !x.Known {
			return
		}
		limit = min(limit, int(min(x.Value, rpcrdma.Version2Threshold)))
	}
	if s.Length > limit {
		return // THRESH-005's, or that of a larger value
	}
	doubt := ""
	if !r.TooLong {
		doubt = doubtInvalid
	}
	if f := r.Find(say, "b", doubt); f != nil {
		f.Sayf("the %s refused with %s the first Send above 1024 octets, of %d, after both agreed on version 2", c.Sender(r.From), r.Text, s.Length)
		f.See("Send length", s.Length, limit).With(r.Frame)
	}
}

// doubtInvalid is what else may be the reason for a NAK.
const doubtInvalid = "a request may be invalid for another reason than its length"

func refusal010(c *rules.Conn, r *requests.Refusal, say rules.Say) {
	s, k := r.Sent, ifAny(c)
	if k != nil && s.Version == rpcrdma.Version2 && r.OfLength() && s.Frame == k.large[s.From&1] && (r.TooLong || !s.Invalidates) && proven(c) {
		unchanged(c, say, s, r)
	}
}

package thresh

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func thresh003() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-003", Title: "Thresholds of the two ends differ",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "The sizes that the two ends told in the set-up do not fit together: one sends longer messages than the other takes, or " +
			"less; only one told any; or the two directions have different limits.",
		Why: "The smaller size holds. An end that was configured for larger messages uses chunks where nobody expects them, and " +
			"memory for long receives is wasted.",
		Advice:    "If many messages are long (THRESH-012), raise the size of the smaller side.",
		Reference: "RFC 8797, sections 4 and 4.2; RFC 8166, section 3.3.3",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate)},
		Limits:    "The difference may be deliberate. Silent if neither end gave private data.",
		Cases: []rules.Case{
			{Letter: "a", Title: "one end's Send Size is not the other's Receive Size", Severity: rules.Note},
			{Letter: "b", Title: "only one end gave private data, and the default holds for both", Severity: rules.Note},
			{Letter: "c", Title: "the directions have different limits", Severity: rules.Note},
		},
		Causes: []string{"CM-001", "CM-003"},
		Needs:  []rules.Knowledge{setup.Knowledge()},
		On:     []rules.Event{setup.OnTold(told003)},
		Fires: []rules.Sample{
			{Name: "the client sends more than the server takes", Scene: `
				connect client=8192/4096 server=4096/4096
				    want THRESH-003a
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "the server gave none", Scene: `
				connect client=4096/4096 server=none
				    want THRESH-003b
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "calls may be longer than replies", Scene: `
				connect client=8192/4096 server=4096/8192
				    want THRESH-003c
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "all sizes are the same", Scene: `
				connect client=8192/8192 server=8192/8192
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "neither gave any", Scene: `
				connect client=none server=none
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
		},
	}
}

// sizes is the offset of Send Size and Receive Size in the private data (RFC 8797,
// section 4), of one octet each.
const sizes = 6

func told003(c *rules.Conn, b *setup.Handshake, say rules.Say) {
	t, known := c.Thresholds()
	p, q := c.ClientPrivate, c.ServerPrivate
	if !known || p == nil && q == nil {
		return
	}
	shown := b.Told[c.ClientEnd.Peer()]
	note := func(letter string) *rules.Finding {
		f := say.Moment(letter, shown.Frame, shown.Time, nil, "")
		if f != nil {
			setup.See(c, f)
			f.See("client to server", t.ToServer, nil).See("server to client", t.ToClient, nil)
			for e := range flow.End(2) {
				f.At(b.PrivateAt(c, e, sizes, 2)).With(b.Told[e].Frame)
			}
		}
		return f
	}
	if p == nil || q == nil {
		if f := note("b"); f != nil {
			with, without := "server", "client"
			if q == nil {
				with, without = without, with
			}
			f.Sayf("only the %s gave private data; the %s did not, so that %d octets are the limit in both directions", with, without, t.ToServer)
		}
		return
	}
	if p.SendSize() != q.ReceiveSize() || q.SendSize() != p.ReceiveSize() {
		if f := note("a"); f != nil {
			f.Sayf("the client sends %d octets and the server takes %d; the server sends %d and the client takes %d",
				p.SendSize(), q.ReceiveSize(), q.SendSize(), p.ReceiveSize())
		}
	}
	if t.ToServer != t.ToClient {
		if f := note("c"); f != nil {
			f.Sayf("messages to the server may have %d octets, messages to the client %d", t.ToServer, t.ToClient)
		}
	}
}

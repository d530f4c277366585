package thresh

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func thresh003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{setup.Knowledge()},
		On:          []rules.Event{setup.OnHandshake(handshake003)},
	}
}

// sizes is the offset of Send Size and Receive Size in the private data (RFC 8797,
// section 4), of one byte each.
const sizes = 6

func handshake003(c *rules.Conn, b *setup.Handshake, report rules.Reporter) {
	t, known := c.Thresholds()
	p, q := c.ClientPrivate, c.ServerPrivate
	if !known || p == nil && q == nil {
		return
	}
	shown := b.Declared[c.ClientEnd.Peer()]
	note := func(letter string) *rules.Finding {
		f := report.Moment(letter, shown.Frame, shown.Time, nil, "")
		if f != nil {
			setup.See(c, f)
			f.See("client to server", t.ToServer, nil).See("server to client", t.ToClient, nil)
			for e := range flow.End(2) {
				f.At(b.PrivateAt(c, e, sizes, 2)).With(b.Declared[e].Frame)
			}
		}
		return f
	}
	if p == nil || q == nil {
		with := "server"
		if q == nil {
			with = "client"
		}
		note("b").
			Messagef("only the %s sent private data of RFC 8797, Version 1, so the limit is %d bytes in both directions", with, t.ToServer)
		return
	}
	if p.SendSize() != q.ReceiveSize() || q.SendSize() != p.ReceiveSize() {
		note("a").
			Messagef("the client sends up to %d bytes and the server accepts %d; the server sends up to %d and the client accepts %d",
				p.SendSize(), q.ReceiveSize(), q.SendSize(), p.ReceiveSize())
	}
	if t.ToServer != t.ToClient {
		note("c").
			Messagef("messages to the server may have %d bytes, messages to the client %d", t.ToServer, t.ToClient)
	}
}

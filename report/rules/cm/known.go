package cm

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// handshakeKnown is raised once for a connection of RPC-over-RDMA, when what both ends told in
// the setup is known: with its first message or, if it has none, its end.
type handshakeKnown struct{ done bool }

// knownSlot is where each connection keeps it.
const knownSlot = rules.ConnSlot[handshakeKnown](rules.KeepsCMKnown)

// onHandshakeKnown calls do then, before what the rules do with the message.
func onHandshakeKnown(do func(c *rules.Conn, b *setup.Handshake, report rules.Reporter)) rules.Event {
	return rules.On(0, func(c *rules.Conn, _ *handshakeKnown, report rules.Reporter) { do(c, setup.Of(c), report) })
}

// known looks at the first messages, and the end.
func known() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsCMKnown, Needs: []rules.Knowledge{setup.Knowledge()}, Limitations: []rules.Limitation{rules.BeganLate, rules.OneDirection}, On: []rules.Event{
		rules.OnBegin(func(c *rules.Conn, _ rules.Reporter) { c.AwaitMessages(rules.KeepsCMKnown, true) }),
		rules.OnMessage(rules.AwaitedMessage, func(c *rules.Conn, _ *dissect.Message, _ rules.Reporter) { look(c) }),
		rules.OnEnd(func(c *rules.Conn, _ rules.Reporter) { look(c); alone(c) }),
	}}
}

func look(c *rules.Conn) {
	k := knownSlot.Of(c)
	if k.done || c.BeganLate() || !c.RPCRDMA() {
		return
	}
	if b := setup.Of(c); b.Declared[0].Captured && b.Declared[1].Captured {
		k.done = true
		c.AwaitMessages(rules.KeepsCMKnown, false)
		rules.Raise(c, 0, k)
	}
}

// alone raises it when the connection is over for one whose other direction is not in the capture: what
// the end told that is heard holds whatever the other told.
func alone(c *rules.Conn) {
	k := knownSlot.Of(c)
	if !k.done && c.RPCRDMA() && (c.FromStart(0) || c.FromStart(1)) {
		k.done = true
		rules.Raise(c, 0, k)
	}
}

package cm

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func cm005() *rules.Rule {
	return &rules.Rule{
		ID: "CM-005", Title: "Settings changed on reconnect",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning:  "The same two hosts connected again, and one of them told other sizes or another flag than on the connection before.",
		Why: "What is told holds for one connection. A peer that keeps what it was told before sends more than is taken, or invalidates " +
			"memory that it must not.",
		Advice:    "Find out why the settings changed: a reconfiguration, another kernel, or another mount with other options.",
		Reference: "RFC 8797, section 4",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate)},
		Limits: "That holds for both connections. Two clients behind one address look like one. Connections at the same time are not " +
			"compared.",
		Cases: []rules.Case{
			{Letter: "b", Title: "the old settings are still used", Severity: rules.Error,
				Advice: "Let the sender take thresholds and flag from the private data of the connection that it sends on."},
		},
		Needs: []rules.Knowledge{known()},
		On: []rules.Event{
			onBothTold(told005),
			rules.OnMessage(rules.AboveDefault|rules.Invalidating, message005),
			rules.OnEnd(end005),
		},
		Fires: []rules.Sample{
			{Name: "the server takes less than before", Scene: `
				connect client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				wait 10ms
				connect client=4096/4096 server=1024/1024
				    want CM-005
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "the client still sends as much as before", Scene: `
				connect client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				wait 10ms
				connect client=4096/4096 server=4096/1024
				    want CM-005
				call 2 NFS3 WRITE data=bytes(2000) count=2000
				    want CM-005b
				    want THRESH-002
				reply 2
				disconnect`},
			{Name: "the server still invalidates", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				wait 10ms
				connect client=4096/4096 server=4096/4096,inv
				    want CM-005
				call 2 NFS3 READ count=100
				    write 0x801 100
				reply 2 data=bytes(100)
				    invalidate 0x801
				    want CM-005b
				    want INV-001a
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "nothing changed", Scene: `
				connect client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				wait 10ms
				connect client=4096/4096 server=4096/4096
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "two connections at the same time", Scene: `
				connect A client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				connect B client=8192/8192 server=4096/4096
				call 2 NFS3 GETATTR
				reply 2
				disconnect
				on A
				disconnect`},
			{Name: "another client", Scene: `
				connect client=4096/4096 server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				wait 10ms
				connect client=8192/8192 server=4096/4096 clientaddr=192.0.2.77
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
		},
	}
}

// changed is what the connection before told, of client and server, where this one tells
// something else.
type changed struct{ before [2]*rpcrdma.PrivateData }

func told005(c *rules.Conn, b *setup.Book, say rules.Say) {
	p := rules.KeptOfCapture[history](c.Capture, rules.KeepsCM).of(c)
	if p == nil {
		return
	}
	k := of(c)
	k.past = p
	before, ok := p.before(c)
	p.enter(c)
	if !ok {
		return
	}
	for i, e := range [...]flow.End{c.ClientEnd, c.ClientEnd.Peer()} {
		now := setup.Private(c, e)
		if c.Ends[e&1].PrivateData == nil || same(before[i], now) {
			continue
		}
		k.changed = &changed{before}
		if f := aboutEnd(say, b, "", e); f != nil {
			f.Sayf("the %s told %s; on the connection before it told %s", c.Sender(e), described(now), described(before[i]))
			f.See("private data", described(now), described(before[i])).At(b.PrivateAt(c, e, 0, rpcrdma.PrivateDataSize))
		}
	}
}

func message005(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if k := ifAny(c); k != nil && k.changed != nil {
		stale005(c, say, setup.Of(c), k.changed.before, m)
	}
}

func end005(c *rules.Conn, _ rules.Say) {
	if k := ifAny(c); k != nil && k.past != nil {
		k.past.leave(c)
	}
}

// same compares what matters.
func same(a, b *rpcrdma.PrivateData) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SendSizeCode == b.SendSizeCode && a.ReceiveSizeCode == b.ReceiveSizeCode && a.RemoteInvalidation() == b.RemoteInvalidation()
}

func described(p *rpcrdma.PrivateData) string {
	if p == nil {
		return "nothing"
	}
	return p.String()
}

// stale005 looks for a message that only the old settings allow.
func stale005(c *rules.Conn, say rules.Say, b *setup.Book, old [2]*rpcrdma.PrivateData, m *dissect.Message) {
	if m.Header.Version != rpcrdma.Version1 || m.Length <= rpcrdma.DefaultThreshold && !m.HasInvalidated || m.Whole && m.Header.Fault.Bad() {
		return
	}
	was := rpcrdma.NegotiatedThresholds(old[0], old[1])
	most := was.ToClient
	if c.ToServer(m.From) {
		most = was.ToServer
	}
	l, known := setup.LimitOf(c, m.From)
	var said []string
	if known && m.Length > l.Octets && m.Length <= most {
		said = append(said, fmt.Sprintf("sent %d octets: %s allows %d now, and the limit was %d on the connection before", m.Length, l.Why, l.Octets, most))
	}
	receiver := setup.Private(c, m.From.Peer())
	before := old[0]
	if c.ToServer(m.From) {
		before = old[1]
	}
	if known && m.HasInvalidated && m.Role() == dissect.RoleAnswer &&
		(receiver == nil || !receiver.RemoteInvalidation()) && before != nil && before.RemoteInvalidation() {
		said = append(said, fmt.Sprintf("replied by Send With Invalidate: the %s had set the flag R on the connection before, and has not now", c.Sender(m.From.Peer())))
	}
	if len(said) == 0 {
		return
	}
	if f := say.Message("b", m, ""); f != nil {
		f.Sayf("the %s %s", c.Sender(m.From), strings.Join(said, ", and "))
		f.See("Send length", m.Length, l.Octets).See("limit before", most, nil).With(b.Told[m.From.Peer()&1].Frame)
	}
}

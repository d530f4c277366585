package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func thresh004() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-004", Title: "Message in reverse direction too long",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A call of the server to the client, or the client's reply to one, is longer than the inline threshold of the direction in " +
			"which it travels.",
		Why: "A callback uses the same receives as a reply, and has no chunks to go by on most implementations. The receive fails, and " +
			"with it the connection that all other calls are on.",
		Advice: "Bound the callback channel of the session, in CREATE_SESSION, by the inline threshold. Callbacks with lists, such as " +
			"CB_NOTIFY or device notifications, must be split.",
		Reference: "RFC 8167, sections 4.2 and 5.3; RFC 8267, section 6.5.2; draft-cel-nfsv4-rpcrdma-version-two-02, sections 2.2 and 2.3",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate),
			rules.SilentIf(rules.OneDirection, rules.Lossy, rules.AnyCut).Of("messages of version 2"),
		},
		Limits: "Silent if it is not known which end is the client. With a receiver that gave no private data the limit is the " +
			"default, and the two ends may share a larger one by a setting that no frame shows. In version 2 the limit is as for " +
			"THRESH-005.",
		Causes: []string{"CM-005b", "CM-001", "CM-003", "CM-004a", "XCHAR-009"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnMessage(rules.AboveDefault, message004)},
		Fires: []rules.Sample{
			{Name: "a callback longer than the client takes", Scene: `
				connect client=4096/1024 server=4096/4096
				call 1 NFS4 NULL
				reply 1
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
				callback 2 program=0x40000000 version=1 procedure=1 raw=bytes(1200)
				    want THRESH-004
				reply 2 raw=zeros(12)
				disconnect`},
			{Name: "the reply to a callback", Scene: `
				connect client=4096/4096 server=4096/1024
				call 1 NFS4 NULL
				reply 1
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
				callback 2 program=0x40000000 version=1 procedure=1 raw=bytes(100)
				reply 2 raw=bytes(1200)
				    want THRESH-004
				disconnect`},
			{Name: "a callback longer than the default of version 2", Scene: begin004 + `
				callback 4 program=0x40000000 version=1 procedure=1 raw=bytes(4200)
				    want THRESH-004
				reply 4 raw=zeros(12)
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a callback that fits the default of version 2", Scene: begin004 + `
				callback 4 program=0x40000000 version=1 procedure=1 raw=bytes(3000)
				reply 4 raw=zeros(12)
				disconnect`},
			{Name: "the other direction has the smaller limit", Scene: `
				connect client=1024/4096 server=4096/4096
				call 1 NFS4 NULL
				reply 1
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
				callback 2 program=0x40000000 version=1 procedure=1 raw=bytes(1200)
				reply 2 raw=bytes(100)
				disconnect`},
		},
	}
}

// begin004 is the begin of a scene of version 2 in which the client gets ready for
// callbacks.
const begin004 = `
				connect version=2 client=none server=none
				call 1 NFS4 NULL
				reply 1
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
`

func message004(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if m.Length <= rpcrdma.DefaultThreshold || !reverse(c, m) {
		return
	}
	l, ok := tooLongToo(c, m)
	if !ok {
		return
	}
	if f := say.Message("", m, ""); f != nil {
		f.Sayf("the %s's %s in reverse direction has %d octets; %s allows %d", c.Sender(m.From), kind(m), m.Length, l.Why, l.Octets)
		f.See("Send length", m.Length, l.Octets)
		see(c, f, m.Header.Version)
		f.In(m, l.Octets, m.Length-l.Octets)
	}
}

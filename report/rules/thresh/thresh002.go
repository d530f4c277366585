package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func thresh002() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-002", Title: "Negotiated threshold exceeded",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A Send is longer than the inline threshold of its direction, which is the smaller of the Send Size that its sender told " +
			"and the Receive Size that its receiver told in the set-up. The transport header counts.",
		Why: "The receiver has no buffer that takes the message: the receive fails with a length error, and the connection is " +
			"terminated.",
		Advice: "Compare the sizes in the two private data with what the sender used. Look at whether it counts the transport header, and " +
			"whether it took the limit of the other direction.",
		Reference: "RFC 8797, section 4.2; RFC 8166, sections 3.3.2, 3.5.3 and 4.2.4",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate)},
		Limits: "If only the receiver gave private data, its Receive Size is the limit. Calls of the server and their replies are " +
			"THRESH-004's.",
		Cases: []rules.Case{
			{Letter: "b", Title: "a reply for which there was a Reply chunk", Severity: rules.Error,
				Advice: "Let the server use the Reply chunk for each reply that is longer than the threshold."},
		},
		Causes: []string{"CM-005b", "CM-004"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.AboveDefault, message002)},
		Fires: []rules.Sample{
			{Name: "a call longer than the server takes", Scene: `
				connect client=8192/4096 server=4096/2048
				call 1 NFS3 WRITE data=bytes(2100) count=2100
				    want THRESH-002 2048+172
				reply 1
				disconnect`},
			{Name: "the server keeps to the limit of the other direction", Scene: `
				connect client=8192/2048 server=8192/8192
				call 1 program=400100 version=1 procedure=5 raw=bytes(4)
				reply 1 raw=bytes(3000)
				    want THRESH-002
				disconnect`},
			{Name: "the Reply chunk is not used", Scene: `
				connect client=4096/2048 server=4096/4096
				call 1 NFS3 READLINK
				    replychunk 0x801 8192
				reply 1 data=text(3000)
				    inline
				    want THRESH-002b
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "each direction has its own limit", Scene: `
				connect client=1024/8192 server=8192/1024
				call 1 NFS3 READ count=6000
				reply 1 data=bytes(6000)
				disconnect`},
			{Name: "as long as the limit is", Scene: `
				connect client=2048/2048 server=2048/2048
				call 1 program=400100 version=1 procedure=5 raw=bytes(1980)
				    cred none
				reply 1 raw=bytes(1996)
				disconnect`},
			{Name: "the limit is not in the capture", Scene: `
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 WRITE data=bytes(9000) count=9000
				reply 2`},
			{Name: "the reply goes to the Reply chunk", Scene: `
				connect client=4096/2048 server=4096/4096
				call 1 NFS3 READLINK
				    replychunk 0x801 8192
				reply 1 data=text(3000)
				disconnect`},
		},
	}
}

func message002(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if m.Length <= rpcrdma.DefaultThreshold {
		return
	}
	l, ok := tooLong(c, m)
	if !ok || l.Default || reverse(c, m) {
		return
	}
	letter, room := "", uint64(0)
	if r := m.RPC(); m.Answer && r != nil && r.Call != nil && r.Call.Header.HasReply && !r.Call.Header.Fault.Bad() {
		if room = r.Call.Header.ChunkLength(r.Call.Header.Reply); room > 0 {
			letter = "b"
		}
	}
	f := say.Message(letter, m, "")
	if f == nil {
		return
	}
	f.Sayf("the %s's %s has %d octets; %s allows %d", c.Sender(m.From), kind(m), m.Length, l.Why, l.Octets)
	f.See("Send length", m.Length, l.Octets)
	if letter == "b" {
		f.Sayf("the %s's %s has %d octets; %s allows %d, and there was a Reply chunk of %d", c.Sender(m.From), kind(m), m.Length, l.Why, l.Octets, room)
		f.See("Reply chunk", room, nil)
	}
	setup.See(c, f)
	f.In(m, l.Octets, m.Length-l.Octets)
}

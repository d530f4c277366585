package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func thresh002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.AboveDefault, message002)},
	}
}

func message002(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
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
	f := report.Message(letter, m, "")
	if f == nil {
		return
	}
	f.Messagef("the %s's %s has %d bytes; %s allows %d", c.Sender(m.From), kind(m), m.Length, l.Why, l.Bytes)
	f.See("Send length", m.Length, finding.AtMost(l.Bytes))
	if letter == "b" {
		f.Messagef("the %s's %s has %d bytes; %s allows %d, and there was a Reply chunk of %d", c.Sender(m.From), kind(m), m.Length, l.Why, l.Bytes, room)
		f.See("Reply chunk", room, nil)
	}
	setup.See(c, f)
	f.In(m, l.Bytes, m.Length-l.Bytes)
}

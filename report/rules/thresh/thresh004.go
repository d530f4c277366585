package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func thresh004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Receiver), rules.AnyCut).Of("messages of version 2"),
			rules.LikelyIf(rules.Lossy.From(rules.Receiver)).Of("messages of version 2"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnMessage(rules.AboveDefault, message004)},
	}
}

func message004(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if m.Length <= rpcrdma.DefaultThreshold || !reverse(c, m) {
		return
	}
	l, ok := tooLongToo(c, m)
	if !ok {
		return
	}
	if f := report.Message("", m, ""); f != nil {
		f.Messagef("the %s's reverse-direction %s has %d bytes; %s allows %d", c.Sender(m.From), kind(m), m.Length, l.Why, l.Bytes)
		f.See("Send length", m.Length, finding.AtMost(l.Bytes))
		see(c, f, m.Header.Version)
		f.In(m, l.Bytes, m.Length-l.Bytes)
	}
}

// Package skeleton has the files that newrule begins a rule with, one check for each hook: rules that compile, and
// report nothing. They share a document, hdr000.rule.
package skeleton

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr000message() rules.Check {
	return rules.Check{
		// TODO list what the capture may lack, and whether the rule is then silent or its finding only likely; see docs/rules-howto.md
		Limitations: rules.Limitations{},
		Speaks:      rules.RPCRDMA,
		// TODO which events the rule looks at, and the class of those that may concern it; 0 is all
		On: []rules.Event{rules.OnMessage(0, message000)},
	}
}

// message000 reports TODO what is wrong.
func message000(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	const found = false // TODO what is wrong
	if !found {
		return
	}
	if f := report.Message("", m, ""); f != nil {
		f.Messagef("the %s sent TODO", c.Sender(m.From))
		f.See("TODO what was measured", m.Length, nil).In(m, 0, m.Length)
	}
}

package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.Malformed, message001)},
	}
}

func message001(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if !runt(c, m) {
		return
	}
	f := report.Message("", m, "")
	if f == nil {
		return
	}
	least, what := shortest(m), "an "+m.Header.ProcName()
	if m.Length < rpcrdma.FixedSize {
		what = "a Send"
	}
	f.Messagef("the %s sent %s of %d bytes, which is too short for its transport header", c.Sender(m.From), what, m.Length)
	f.See("bytes", m.Length, finding.AtLeast(least)).In(m, 0, m.Length)
}

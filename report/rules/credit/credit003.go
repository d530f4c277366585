package credit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit003() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.WithoutCredits, message003)},
	}
}

func message003(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if m.Header.Credits != 0 || m.Header.Length < rpcrdma.AtCredits+xdr.WordSize || m.Role() == dissect.RoleNone {
		return
	}
	letter, what := "b", "requested 0 credits"
	if m.Answer {
		letter, what = "a", "granted 0 credits"
	}
	if f := report.Message(letter, m, ""); f != nil {
		f.Messagef("the %s %s in an %s", c.Sender(m.From), what, m.Header.ProcName())
		f.See("rdma_credit", 0, "at least 1").Word(m, rpcrdma.AtCredits)
	}
}

package skeleton

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr000access() rules.Check {
	return rules.Check{
		// TODO list what the capture may lack, and whether the rule is then silent or its finding only likely; see docs/rules-howto.md
		Limitations: rules.Limitations{},
		Speaks:      rules.RPCRDMA,
		// TODO which events the rule looks at, and the class of those that may concern it; 0 is all
		On: []rules.Event{rules.OnAccess(0, access000)},
	}
}

// access000 reports TODO what is wrong. An RDMA operation has several packets or segments, each of which is an access.
func access000(c *rules.Conn, a *dissect.Access, report rules.Reporter) {
	const found = false // TODO what is wrong
	if !found {
		return
	}
	if f := report.Access("", a, ""); f != nil {
		f.Messagef("the %s accessed TODO", c.Sender(a.From))
		f.See("TODO what was measured", a.Length, nil)
	}
}

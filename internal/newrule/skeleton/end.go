package skeleton

import (
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr000end() rules.Check {
	return rules.Check{
		// TODO list what the capture may lack, and whether the rule is then silent or its finding only likely; see docs/rules-howto.md
		Limitations: rules.Limitations{},
		Speaks:      rules.RPCRDMA,
		// TODO which other events the rule looks at
		On: []rules.Event{rules.OnEnd(end000)},
	}
}

// end000 reports TODO what is wrong. It is called once for each connection, also for one that is open at the end of the
// capture.
func end000(c *rules.Conn, report rules.Reporter) {
	const found = false // TODO what is wrong
	if !found {
		return
	}
	f := report.Connection("", "")
	f.Messagef("the connection ended TODO")
	f.See("TODO what was measured", c.Messages, nil)
}

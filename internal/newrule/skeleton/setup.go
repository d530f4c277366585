package skeleton

import (
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr000setup() rules.Check {
	return rules.Check{
		// TODO list what the capture may lack, and whether the rule is then silent or its finding only likely; see docs/rules-howto.md
		Limitations: rules.Limitations{},
		Speaks:      rules.AnyProtocol, // TODO rules.RPCRDMA if other connections do not matter
		// TODO which other events the rule looks at
		On: []rules.Event{rules.OnSetUp(setUp000)},
	}
}

// setUp000 reports TODO what is wrong. It is called once for each connection, also for one whose setup was not captured or
// failed.
func setUp000(c *rules.Conn, report rules.Reporter) {
	if !c.Established {
		return // TODO whether this matters
	}
	const found = false // TODO what is wrong
	if !found {
		return
	}
	f := report.Connection("", "")
	f.Messagef("the connection was set up TODO")
	f.See("TODO what was measured", c.Setup.String(), nil)
}

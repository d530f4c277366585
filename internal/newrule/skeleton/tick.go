package skeleton

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr000tick() rules.Check {
	return rules.Check{
		// TODO list what the capture may lack, and whether the rule is then silent or its finding only likely; see docs/rules-howto.md
		Limitations: rules.Limitations{},
		Speaks:      rules.RPCRDMA,
		// TODO after which event time counts, and its class; 0 is all
		On: []rules.Event{rules.OnMessage(0, remind000), rules.OnTick(tick000)},
	}
}

// remind000 has tick000 called within a second of TODO what must be followed by something in time.
func remind000(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	// TODO keep what tick000 has to know of the message in the slot of the family
	c.Remind()
}

// tick000 reports TODO what did not happen in time. To wait for longer, it calls c.Remind again. Now is in nanoseconds since
// 1970.
func tick000(c *rules.Conn, now int64, report rules.Reporter) {
	const found = false // TODO what is wrong
	if !found {
		return
	}
	if f := report.Connection("", ""); f != nil {
		f.Messagef("TODO did not happen in time")
		f.See("TODO what was measured", rules.Duration(now-c.FirstTime), nil)
	}
}

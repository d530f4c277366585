package skeleton

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr000frame() rules.Check {
	return rules.Check{
		// TODO list what the capture may lack, and whether the rule is then silent or its finding only likely; see docs/rules-howto.md
		Limitations: rules.Limitations{},
		Speaks:      rules.AnyProtocol, // TODO rules.RPCRDMA if other traffic does not matter
		// TODO which events the rule looks at, and the class of those that may concern it; 0 is all
		On: []rules.Event{rules.OnFrame(0, frame000)},
	}
}

// frame000 reports TODO what is wrong.
func frame000(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	const found = false // TODO what is wrong
	if !found {
		return
	}
	if f := report.Frame("", v, ""); f != nil {
		f.Messagef("the %s sent TODO", c.Sender(v.Verdict.From))
		f.See("TODO what was measured", len(v.Frame.Data), nil)
	}
}

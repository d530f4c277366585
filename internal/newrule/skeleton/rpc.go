package skeleton

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr000rpc() rules.Check {
	return rules.Check{
		// TODO list what the capture may lack, and whether the rule is then silent or its finding only likely; see docs/rules-howto.md
		Limitations: rules.Limitations{},
		Speaks:      rules.RPCRDMA,
		// TODO which events the rule looks at, and the class of those that may concern it; 0 is all
		On: []rules.Event{rules.OnRPC(0, rpc000)},
	}
}

// rpc000 reports TODO what is wrong. The RPC is complete, or given up: its call or its reply may be nil.
func rpc000(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || r.Reply == nil {
		return // TODO whether one of them is enough
	}
	const found = false // TODO what is wrong
	if !found {
		return
	}
	// TODO report.Part("", r, r.Call, "") if the requester is to blame
	if f := report.Part("", r, r.Reply, ""); f != nil {
		f.Messagef("the %s replied TODO", c.Sender(r.Reply.From))
		f.See("TODO what was measured", r.Reply.Length, nil).In(r.Reply, 0, r.Reply.Length)
	}
}

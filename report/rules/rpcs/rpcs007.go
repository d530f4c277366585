package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs007() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On: []rules.Event{
			rules.OnRPC(0, rpc007),
		},
	}
}

func rpc007(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	ns, ok := r.Latency()
	h := r.ReplyHeader()
	if !ok || h == nil || h.Denied || h.Accept != 0 || r.CallHeader() == nil {
		return
	}
	long := ns > int64(c.Capture.Config.SlowCall)
	median, slow := state.Of(c).times.addRPC(r, ns, long, c.Capture.Config.SlowFactor)
	if !slow || ns > c.SlowRPC(r) { // SYM-002
		return
	}
	parts, _ := r.Parts()
	f := report.Slowest(c, r, ns, &parts, "")
	if f == nil {
		return
	}
	longest, part := parts.Longest()
	f.Messagef("%s took %s, %s of it %s; most take %s", f.Call, rules.Duration(ns), rules.Duration(part), c.InPhase(r, longest, &parts), rules.Duration(median))
	f.See("latency", finding.Nanoseconds(ns), nil).See("latency of most", finding.Nanoseconds(median), nil).SeePhases(&parts)
}

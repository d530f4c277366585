package sym

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func sym002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Unpaired),
			rules.LikelyIf(rules.Disordered),
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.Long, rpc002)},
	}
}

func rpc002(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	ns, ok := r.Latency()
	if !ok || ns <= c.SlowRPC(r) || !c.Paired(r) {
		return
	}
	doubt := ""
	if c.Disordered() {
		doubt = finding.DoubtOrder
	}
	parts, _ := r.Parts()
	f := report.Slowest(c, r, ns, &parts, doubt)
	if f == nil {
		return
	}
	longest, part := parts.Longest()
	f.Messagef("%s took %s, %s of it %s", called(f), rules.Duration(ns), rules.Duration(part), c.InPhase(r, longest, &parts))
	f.See("latency", finding.Nanoseconds(ns), finding.AtMost(finding.Nanoseconds(c.SlowRPC(r)))).SeePhases(&parts)
	f.With(r.Call.Frame())
}

// called is what an RPC is called that a finding is about.
func called(f *rules.Finding) string {
	if f.Call == "" {
		return "an RPC"
	}
	return f.Call
}

package sym

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func sym007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection), rules.LikelyIf(rules.Disordered)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(rules.WithChunks, rpc007), rules.OnEnd(end007)},
	}
}

const dataToServer, dataToClient = 0, 1

func rpc007(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	read, written := r.Offer.ReadBytes, r.Offer.WriteBytes
	if max(read, written) < leastData || r.Call == nil || r.Reply == nil || r.Requester != c.ClientEnd {
		return
	}
	x := rules.Some(&state.Of(c).rates)
	if read >= written {
		x[dataToServer].addRPC(c, r, read, dissect.PhaseReadChunks)
	} else {
		x[dataToClient].addRPC(c, r, written, dissect.PhaseWriteChunks)
	}
}

func end007(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.rates == nil {
		return
	}
	for to := range k.rates {
		from := c.ClientEnd
		if to == dataToClient {
			from = from.Peer()
		}
		k.rates[to].report(c, from, report)
	}
}

// report reports the longest time in which data of an end were slow.
func (x *rateOf) report(c *rules.Conn, from flow.End, report rules.Reporter) {
	x.over(c, 0)
	w := &x.worst
	if w.ns == 0 || c.OneDirection() {
		return
	}
	doubt := ""
	if c.Disordered() {
		doubt = finding.DoubtOrder
	}
	f := report.Moment("", w.first.Ref, w.first.Time, &from, doubt)
	if f == nil {
		return
	}
	f.Last, f.LastTime = w.last.Ref, w.last.Time
	f.Spans(w.first.Time, w.last.Time)
	f.Messagef("for %s, while calls waited for it, the %s's data moved at %s", rules.Duration(w.ns), c.Sender(from), rules.Rate(perSecond(w.pace())))
	if x.before > 0 {
		f.Message += ", compared with " + rules.Rate(perSecond(x.before)) + " before"
	}
	if share := float64(w.moving) * 100 / float64(max(w.taken, 1)); share >= 50 {
		f.Message += fmt.Sprintf("; %.0f %% of that time it was in flight", min(share, 100))
		f.Advise("Look at what limits the rate on the path from the %s: shaping, a port that fell back to a lower speed, pause frames, losses, or its adapter.", c.Sender(from))
		f.See("share of the time in flight", fmt.Sprintf("%.0f %%", min(share, 100)), nil)
	}
	f.See("time that calls waited for data", finding.Nanoseconds(w.ns), finding.AtMost(finding.Nanoseconds(c.Capture.Config.Collapse)))
	f.See("bytes per second", int64(perSecond(w.pace())), nil)
	if x.before > 0 {
		f.See("bytes per second before", int64(perSecond(x.before)), nil)
	}
	if x.after > 0 {
		f.See("bytes per second after", int64(perSecond(x.after)), nil)
	}
}

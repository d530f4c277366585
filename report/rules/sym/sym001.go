package sym

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

func sym001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection),
			rules.SilentOrLikelyIf(rules.LostSince).Since("the last frame before it"),
			rules.LikelyIf(rules.Disordered),
		},
		Speaks: rules.RPCRDMA,
		On: []rules.Event{
			rules.OnFrame(rules.Resuming, frame001),
			rules.OnRPC(rules.Long|rules.WithoutReply, rpc001),
			rules.OnMessage(0, call001), rules.OnTick(tick001),
		},
	}
}

// frame001 remembers what a frame ended that was not sent again, if calls were open before.
func frame001(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if v.IB != nil && v.IB.OpCode.Transport() != c.TransportService() || !rules.IsNew(v) {
		return
	}
	s, ok := stalled(c, rules.Moment(v), false)
	pausedAt(c, v)
	answered := answeredBy(v)
	if !ok || openBefore(c, v) <= 0 && answered == nil {
		return
	}
	s.by = v.Verdict.From
	s.wait(c)
	if answered != nil {
		s.waits(answered)
	}
	*state.Of(c).stalls.Add(mostStalls) = s
}

func rpc001(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	k := state.IfAny(c)
	if k != nil {
		for s := range k.stalls.All() {
			if s.spans(r) && (r.Reply != nil || c.Whole(r.Call.Frame())) {
				s.report(c, report, r)
			}
		}
	}
	if s, ok := last001(c, r); ok && s.spans(r) {
		s.wait(c)
		s.report(c, report, r)
		s.reported = true
		*state.Of(c).stalls.Add(mostStalls) = s
	}
}

// last001 is the stall that the reply of an RPC ends, or the end of the connection.
func last001(c *rules.Conn, r *dissect.RPC) (s stall, ok bool) {
	switch {
	case r.Call == nil:
		return s, false
	case r.Reply != nil:
		s, ok = stalled(c, flow.Moment{Ref: r.Reply.Frames[0], Time: r.Reply.First}, false)
		s.by = r.Reply.From
		return s, ok
	case !c.Whole(r.Call.Frame()):
		return s, false
	}
	s, ok = stalled(c, flow.Moment{Ref: c.Last, Time: c.LastTime}, true)
	switch c.Closing {
	case flow.Disconnected, flow.Terminated, flow.Reset:
		s.ended = true
		return s, ok
	case flow.Open:
		return s, ok && c.Capture.Over && (s.again[0] || s.again[1])
	}
	return s, false
}

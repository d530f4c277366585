package sym

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func sym010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.LostSince).Since("the last frame before it"),
			rules.SilentIf(rules.Disordered),
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnFrame(rules.Resuming, frame010)},
	}
}

// frame010 looks at the first frame that goes on after a silence.
func frame010(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if v.IB == nil || v.IB.OpCode.Transport() != c.TransportService() || !rules.IsNew(v) {
		return // a TCP keep-alive looks as if it were sent again
	}
	open := c.Outstanding(0) + c.Outstanding(1)
	if m := v.Message; m != nil && m.Role() == dissect.RoleCall {
		open--
	}
	from, last := newest(c), lastOf(c)
	again := last.Time > from.Time && from.Time != 0 // after the setup alone nothing was retransmitted
	silent := v.Frame.Time - last.Time
	if open > 0 || !again || v.Message != nil && m010(v) || silent <= int64(c.Capture.Config.Pause) {
		return
	}
	if c.OneDirection() || c.LostSince(from.Ref) || c.Disordered() {
		return
	}
	if f := report.Frame("", v, ""); f != nil {
		f.Messagef("nothing arrived for %s after frame %s, which was retransmitted; no call was open", rules.Duration(silent), c.Capture.FrameName(last.Ref))
		f.See("length", finding.Nanoseconds(silent), finding.AtMost(finding.Nanoseconds(c.Capture.Config.Pause)))
		f.With(last.Ref)
	}
}

// m010 reports whether a frame completes a reply: a call was open until then.
func m010(v *dissect.FrameView) bool { return v.Message.Answer }

// lastOf is the newest frame of either end, up to the one before that which is told.
func lastOf(c *rules.Conn) flow.Moment {
	a, b := c.LastSeen(0), c.LastSeen(1)
	if a.Time > b.Time {
		return flow.Moment{Ref: a.Frame, Time: a.Time}
	}
	return flow.Moment{Ref: b.Frame, Time: b.Time}
}

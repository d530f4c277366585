package rpcs

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
)

func rpcs009() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{requests.Knowledge()},
		On:     []rules.Event{requests.OnRefusal(refused009)},
	}
}

// refused009 reports a reply that was refused.
func refused009(c *rules.Conn, r *requests.Refusal, report rules.Reporter) {
	if !r.Sent.IsReply(c) || r.Termination == nil && r.Sent.WasAcknowledged(c) {
		return
	}
	if f := r.Find(report, "", ""); f != nil {
		f.Messagef("the %s refused the reply to XID %s in frame %s: %s; the call has no answer",
			c.Sender(r.From), rules.Handle(r.Sent.XID), c.Capture.FrameName(r.Sent.Frame), r.Text)
		f.See("bytes of the reply", r.Sent.Length, nil)
	}
}

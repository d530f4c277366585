package sym

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func sym003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut).In("a")},
		Speaks:      rules.RPCRDMA,
		Fields:      []string{supported4},
		On: []rules.Event{
			rules.OnRPC(rules.Failing|rules.AwaitedMessage, rpc003), rules.OnRPC(0, access003), rules.OnEnd(end003),
		},
	}
}

func rpc003(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	status := r.StatusWord()
	if status == 0 {
		if k := state.IfAny(c); k != nil && r.Reply != nil && len(k.refusals) > 0 {
			c.AwaitMessages(rules.KeepsSYM, k.done(r))
		}
		return
	}
	t, ok := troubleOf(status)
	if !ok {
		return
	}
	x := state.Of(c).refuse(r, status)
	if x == nil {
		return
	}
	switch {
	case x.finding != nil:
		c.AwaitMessages(rules.KeepsSYM, true) // end003 says more
	case x.count >= int64(c.Capture.Config.Refusals) && c.Capture.Config.Refusals > 0:
		c.AwaitMessages(rules.KeepsSYM, true)
		f := report.Key(kind003{x.operation, status}).Part("", r, r.Reply, "")
		if f == nil {
			return // there are too many kinds
		}
		x.note(f, t)
		x.describe(c)
	}
}

// A kind003 tells findings apart.
type kind003 struct {
	operation string
	status    uint32
}

// end003 says how it went on, and reports what matters even once.
func end003(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil {
		return
	}
	for _, x := range k.refusals {
		if t, _ := troubleOf(x.status); x.finding == nil && t.storage && c.Capture.Config.Refusals > 0 {
			from := c.ClientEnd.Peer()
			if x.reverse {
				from = c.ClientEnd
			}
			f := report.Key(kind003{x.operation, x.status}).Moment("b", x.last.Ref, x.last.Time, &from, "")
			if f == nil {
				continue
			}
			x.note(f, t)
		}
		if x.finding != nil {
			x.describe(c)
		}
	}
}

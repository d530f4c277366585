package sym

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func sym009() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.LostSince).Of("open calls"),
			rules.SilentIf(rules.BeganLate, rules.Disordered).In("ab"),
			rules.LikelyIf(rules.LostSince).Of("a server that leaves without open calls").Since("the last message"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{leaving()},
		On: []rules.Event{
			rules.OnRPC(rules.Compound, resume009), rules.OnEnd(end009), rules.OnOver(over009),
		},
	}
}

// doubtReply is why calls may have been answered after all.
const doubtReply = "a reply may be missing from the capture without a trace"

// doubtMessage is why the last message that was captured may not be the last one.
const doubtMessage = "later messages may be missing from the capture, among them unanswered calls"

func end009(c *rules.Conn, report rules.Reporter) {
	l := leftOf(c)
	switch {
	case !closed(c):
		return
	case l.open > 0:
		departs(c, l.open, l.doubt(c))
		if f := ended(c, report, "", l.doubt(c)); f != nil {
			f.Messagef("%s with %s unanswered", how(c), field.Counted(l.open, "call"))
			if l.oldest > 0 {
				f.Message += ", the oldest for " + rules.Duration(max(0, c.LastTime-l.oldest))
			}
			f.Message += before(c)
			l.show(c, f)
		}
	case c.Closing != flow.Terminated:
		serverLeaves(c, report)
	}
}

// doubt says what may have been missed.
func (l *left) doubt(c *rules.Conn) string {
	if c.Closing != flow.Disconnected || l.refused {
		return ""
	}
	if c.LastSeen(l.requester).Again > l.newest.Time {
		return "" // nothing had come for it
	}
	return doubtReply
}

// resetLeave is how soon after traffic a server that resets the connection ends it amid work, in nanoseconds: who has
// nothing more to do closes it.
const resetLeave = 60e9

// serverLeaves reports a server that ends the connection in the middle of traffic.
func serverLeaves(c *rules.Conn, report rules.Reporter) {
	b := setup.Of(c)
	if !b.Ended || c.OneDirection() || b.Over.From == c.ClientEnd || b.Over.Answers || !c.RolesKnown || c.RPCs == 0 {
		return
	}
	last := max(c.Spoke(0), c.Spoke(1))
	quiet, most := b.Over.Time-last, int64(c.Capture.Config.Leave)
	if c.Closing == flow.Reset {
		most = max(most, resetLeave)
	}
	if quiet < 0 || quiet > most {
		return
	}
	message, doubt := "the last message", ""
	if c.HoleSince(last) {
		message, doubt = "the last captured message", doubtMessage
	}
	departs(c, 0, doubt)
	if f := ended(c, report, "", doubt); f != nil {
		f.Messagef("%s %s after %s", how(c), rules.Duration(quiet), message)
		f.Message += before(c)
		f.See("time since "+message, finding.Nanoseconds(quiet), finding.Nanoseconds(most))
		if doubt == "" && c.Unanswered[0]+c.Unanswered[1] == 0 {
			new(left).show(c, f)
		} else {
			ladder(c, f) // how many calls are unanswered is not known
		}
	}
}

// departs notes that the connection ended amid work, for over009.
func departs(c *rules.Conn, open int, doubt string) {
	state.Of(c).departed = &departure{at: flow.Moment{Ref: c.Last, Time: c.LastTime}, how: how(c), open: open, doubt: doubt}
}

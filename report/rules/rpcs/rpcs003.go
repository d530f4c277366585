package rpcs

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.Disordered, rules.Uncalled, rules.NothingFollows.From(rules.Responder)),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Responder)), rules.LikelyIf(rules.Cut),
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithoutReply|rules.AwaitedMessage, rpc003), rules.OnMessage(rules.AwaitedMessage, message003)},
	}
}

// rpc003 judges a repeat that is over, and keeps a call that is over without an answer: the
// next message may be the repeat.
func rpc003(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	k := state.Of(c)
	for i := range k.repeats {
		if x := k.repeats[i]; x.XID == r.XID && x.From == r.Requester {
			k.repeats = slices.Delete(k.repeats, i, i+1)
			x.check(c, report, r)
			break
		}
	}
	k.pending = r.Unreplied() && r.Call != nil && c.Closing == flow.Open && !c.Capture.Over && c.Called(r) && !extended(r.Call)
	c.AwaitMessages(rules.KeepsRPC, k.pending || len(k.repeats) > 0)
	if !k.pending {
		return
	}
	if k.former == nil {
		k.former = new(former)
	}
	f := k.former
	f.PastMessage = rules.Past(r.Call)
	f.request.setMessage(r.Call)
	f.memory.setHeader(&r.Call.Header)
}

func message003(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	k := state.Of(c)
	if !k.pending {
		return
	}
	k.pending = false
	f := k.former
	if m.Role() == dissect.RoleCall && m.Header.XID == f.XID && m.From == f.From && !m.Header.Fault.Bad() &&
		!rules.Guessed(m) && !extended(m) && len(k.repeats) < mostRepeats {
		k.repeats = append(k.repeats, f.repeated(m))
	}
	c.AwaitMessages(rules.KeepsRPC, len(k.repeats) > 0)
}

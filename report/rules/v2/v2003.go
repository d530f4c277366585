package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Unpaired, rules.Cut), rules.LikelyIf(rules.LostSince.From(rules.Requester))},
		Speaks:      rules.Version2,
		On:          []rules.Event{rules.OnMessage(rules.OtherVersion, message003)},
	}
}

// doubtAdapter is why a handle may not be invalidated.
const doubtAdapter = "the responder's adapter may not support Send With Invalidate"

func message003(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	r := m.RPC()
	if !spoken(m) || !m.Answer || r == nil {
		return
	}
	able := &state.Of(c).able[m.From&1]
	*able = *able || m.HasInvalidated
	if !answers(c, r) {
		return
	}
	wanted, letter := r.Call.Header.InvHandle, ""
	switch {
	case m.HasInvalidated && (m.Invalidated == wanted || !r.Call.Header.Names(m.Invalidated)):
		return // the latter is INV-002's
	case m.HasInvalidated && wanted == 0:
		letter = "a"
	case m.HasInvalidated:
		letter = "b"
	case wanted == 0 || !sound(c, m) || m.Header.Proc == rpcrdma.RDMAError || !lists(m) || !r.Call.Header.Names(wanted):
		return // the last is V2-002's
	default:
		plain(c, report, m, *able)
		return
	}
	if f := report.Message(letter, m, doubtCall(c, r)); f != nil {
		allowed := "none"
		if wanted != 0 {
			allowed = rules.Handle(wanted)
		}
		f.Messagef("the %s replied with Send With Invalidate of handle %s; the call's rdma_inv_handle names %s", c.Sender(m.From), rules.Handle(m.Invalidated), allowed)
		f.See("invalidated handle", rules.Handle(m.Invalidated), allowed).At(rules.InvalidatedAt(m)).With(r.Call.Frames...)
	}
}

// plain reports a reply that invalidates nothing.
func plain(c *rules.Conn, report rules.Reporter, m *dissect.Message, able bool) {
	doubt := doubtCall(c, m.RPC())
	if !able && !c.IWARP() {
		doubt = doubtAdapter
	}
	if f := report.Message("c", m, doubt); f != nil {
		call := m.RPC().Call
		f.Messagef("the %s replied with a plain Send, although the call offers handle %s for invalidation", c.Sender(m.From), rules.Handle(call.Header.InvHandle))
		f.See("Send With Invalidate", false, true).Word(m, atInvHandle).With(call.Frames...)
	}
}

package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut), rules.SilentIf(rules.Unpaired).Of("a reply"), rules.LikelyIf(rules.LostSince.From(rules.Requester)).Of("a reply")},
		Speaks:      rules.Version2,
		On:          []rules.Event{rules.OnMessage(rules.OtherVersion, message002)},
	}
}

func message002(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if !sound(c, m) || !lists(m) {
		return
	}
	h, r := &m.Header, m.RPC()
	switch {
	case r == nil:
	case r.Call == m:
		if h.InvHandle == 0 || h.Names(h.InvHandle) || rules.Guessed(m) {
			return
		}
		if f := report.Message("a", m, ""); f != nil {
			f.Messagef("the %s's call offers handle %s for invalidation, but does not advertise it", c.Sender(m.From), rules.Handle(h.InvHandle))
			f.See("rdma_inv_handle", rules.Handle(h.InvHandle), "0, or a handle of the call").Word(m, atInvHandle)
		}
	case answers(c, r) && h.InvHandle != r.Call.Header.InvHandle:
		if f := report.Message("b", m, doubtCall(c, r)); f != nil {
			was := r.Call.Header.InvHandle
			f.Messagef("the %s's reply has rdma_inv_handle %s, but its call has %s", c.Sender(m.From), rules.Handle(h.InvHandle), rules.Handle(was))
			f.See("rdma_inv_handle", rules.Handle(h.InvHandle), rules.Handle(was)).Word(m, atInvHandle).With(r.Call.Frames...)
		}
	}
}

// answers reports whether the reply of an RPC surely answers its call, which has an
// rdma_inv_handle.
func answers(c *rules.Conn, r *dissect.RPC) bool {
	return sound(c, r.Call) && lists(r.Call) && c.Paired(r)
}

// doubtCall is why the reply may be that to the call as it was retransmitted.
func doubtCall(c *rules.Conn, r *dissect.RPC) string { return c.DoubtOf(r.Requester, r.Call.Frame()) }

package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func inv001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate).In("ab")},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.Invalidating, message001)},
	}
}

func message001(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if !m.HasInvalidated || m.Role() == dissect.RoleNone || !c.RolesKnown {
		return
	}
	first := m.Header.Version == rpcrdma.Version1
	if m.Role() == dissect.RoleCall || first && m.Header.Proc == rpcrdma.RDMAError && !m.Header.Fault.Bad() {
		if f := report.Message("c", m, ""); f != nil {
			f.Messagef("the %s sent %s by Send With Invalidate of handle 0x%08x", c.Sender(m.From), what(m), m.Invalidated)
			f.At(rules.InvalidatedAt(m))
		}
		return
	}
	if !first {
		return
	}
	requester, known := flags(c, m.From.Peer())
	responder, alsoKnown := flags(c, m.From)
	switch {
	case !known:
	case !requester:
		if f := report.Message("a", m, ""); f != nil {
			f.Messagef("the %s replied by Send With Invalidate of handle 0x%08x, but the %s did not set flag R",
				c.Sender(m.From), m.Invalidated, c.Sender(m.From.Peer()))
			f.See("requester's R", flag(c, m.From.Peer()), true).See("responder's R", flag(c, m.From), true).At(rules.InvalidatedAt(m))
		}
	case alsoKnown && !responder:
		if f := report.Message("b", m, ""); f != nil {
			f.Messagef("the %s replied by Send With Invalidate, as the %s allows, but did not set flag R itself, as is usual with Linux",
				c.Sender(m.From), c.Sender(m.From.Peer()))
			f.See("responder's R", flag(c, m.From), true).At(rules.InvalidatedAt(m))
		}
	}
}

// what a message is, for a person.
func what(m *dissect.Message) string {
	if m.Role() == dissect.RoleCall {
		return "a call"
	}
	return "an RDMA_ERROR"
}

// flags is the flag R of an end, and whether it is known.
func flags(c *rules.Conn, e flow.End) (set, known bool) {
	if c.BeganLate() || c.Ends[e].PrivateData == nil {
		return false, false
	}
	p := setup.Private(c, e)
	return p != nil && p.RemoteInvalidation(), true
}

// flag is the flag R for a person.
func flag(c *rules.Conn, e flow.End) any {
	if p := setup.Private(c, e); p != nil {
		return p.RemoteInvalidation()
	}
	return "no private data"
}

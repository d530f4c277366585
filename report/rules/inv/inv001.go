package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func inv001() *rules.Rule {
	return &rules.Rule{
		ID: "INV-001", Title: "Send With Invalidate not permitted",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A message was sent by Send With Invalidate although the two ends did not agree on remote invalidation in " +
			"the private data of the set-up, or where it has no meaning: with a call or an RDMA_ERROR.",
		Why: "A peer that did not ask for it may have an adapter that cannot take the operation, and refuses it: the reply is " +
			"lost and the connection with it. One that does not expect it unregisters memory a second time.",
		Advice: "Let the responder answer by Send With Invalidate only if both private data have the flag R set, and only with " +
			"replies.",
		Reference: "RFC 8797, section 4.1; RFC 8166, section 4.4.1; draft-cel-nfsv4-rpcrdma-version-two-02, section 3",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate).In("ab")},
		Limits: "Linux servers never set the flag and invalidate all the same if the client did: case b, a note. In version 2 the " +
			"private data do not count: each call says by itself which handle its reply may invalidate, and V2-003 judges.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the requester did not say that it can take it", Severity: rules.Error},
			{Letter: "b", Title: "only the requester set the flag, as is usual with Linux servers", Severity: rules.Note},
			{Letter: "c", Title: "with a call or an RDMA_ERROR", Severity: rules.Error},
		},
		Causes: []string{"CM-005b", "CM-001", "CM-003"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.Invalidating, message001)},
		Fires: []rules.Sample{
			{Name: "the client's flag is clear", Scene: `
				connect client=4096/4096 server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    want INV-001a
				disconnect`},
			{Name: "the client sent no private data", Scene: `
				connect client=none server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    want INV-001a
				disconnect`},
			{Name: "as a Linux server does", Scene: `
				connect client=4096/4096,inv server=4096/4096
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    want INV-001b
				disconnect`},
			{Name: "a call of version 2 invalidates", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				    invalidate 0x1001
				    want INV-001c
				reply 1
				disconnect`},
			{Name: "a call invalidates", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 GETATTR
				    invalidate 0x1001
				    want INV-001c
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "both flags are set", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				disconnect`},
			{Name: "a call of version 2 permits it, whatever the flags are", Scene: `
				connect client=4096/4096 server=4096/4096
				version 2
				call 1 NFS3 READ count=100
				    write 0x1001 100; inv 0x1001
				reply 1 data=bytes(100)
				disconnect`},
			{Name: "what was agreed is not in the capture", Scene: `
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				call 2 NFS3 GETATTR
				reply 2`},
		},
	}
}

func message001(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if !m.HasInvalidated || m.Role() == dissect.RoleNone || !c.RolesKnown {
		return
	}
	first := m.Header.Version == rpcrdma.Version1
	if m.Role() == dissect.RoleCall || first && m.Header.Proc == rpcrdma.RDMAError && !m.Header.Fault.Bad() {
		if f := say.Message("c", m, ""); f != nil {
			f.Sayf("the %s sent %s by Send With Invalidate of handle 0x%08x", c.Sender(m.From), what(m), m.Invalidated)
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
		if f := say.Message("a", m, ""); f != nil {
			f.Sayf("the %s replied by Send With Invalidate of handle 0x%08x; the %s did not set the flag R",
				c.Sender(m.From), m.Invalidated, c.Sender(m.From.Peer()))
			f.See("requester's R", flag(c, m.From.Peer()), true).See("responder's R", flag(c, m.From), true).At(rules.InvalidatedAt(m))
		}
	case alsoKnown && !responder:
		if f := say.Message("b", m, ""); f != nil {
			f.Sayf("the %s replies by Send With Invalidate, as the %s allows, but did not set the flag R itself: Linux-style",
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

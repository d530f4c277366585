package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2003() *rules.Rule {
	return &rules.Rule{
		ID: "V2-003", Title: "Send operation contradicts rdma_inv_handle",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "In version 2 each call says by rdma_inv_handle which of its handles the reply is to invalidate. The reply invalidated one " +
			"although the call names none, or another one; or it invalidated none although the call names one.",
		Why: "A handle that was not offered may belong to memory that lasts, or that other RPCs use: their data cannot be moved any more. A " +
			"handle that is offered in vain costs the requester an invalidation of its own.",
		Advice:    "Let the responder take the handle of its Send With Invalidate from the call, and use a plain Send only where that is zero.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, sections 3 and 5.2.3",
		Gates:     rules.Gates{rules.SilentIf(rules.LostSince, rules.Unpaired, rules.Cut)},
		Limits: "A handle that its call does not advertise is INV-002's. A plain Send is only likely to be a fault over RoCE until the " +
			"responder used Send With Invalidate once: its adapter may not have it. Silent if the call is not in the capture.",
		Cases: []rules.Case{
			{Letter: "a", Title: "invalidated, though the call names no handle", Severity: rules.Error},
			{Letter: "b", Title: "another handle than the call names", Severity: rules.Error},
			{Letter: "c", Title: "not invalidated, though the call names a handle", Severity: rules.Warning,
				Advice: "If the responder's adapter has Send With Invalidate, let it use that: the requester then need not invalidate the memory itself."},
		},
		Causes: []string{"V2-002"},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message003)},
		Fires: []rules.Sample{
			{Name: "the call names none", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    want V2-003a
				disconnect`},
			{Name: "the other handle of the call", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 50 0x1002 50
				    inv 0x1002
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    want V2-003b
				disconnect`},
			{Name: "a plain Send behind one that invalidates", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    inv 0x1001
				reply 1 data=bytes(100)
				call 2 NFS3 READ count=100
				    write 0x1002 100
				    inv 0x1002
				reply 2 data=bytes(100)
				    plain
				    want V2-003c inv
				disconnect`},
			{Name: "plain Sends only", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    inv 0x1001
				reply 1 data=bytes(100)
				    plain
				    want V2-003c inv
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the handle that the call names", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 50 0x1002 50
				    inv 0x1002
				reply 1 data=bytes(100)
				disconnect`},
			{Name: "an error is a plain Send", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 100
				    inv 0x1001
				error 2 CANT_REPLY FALSE 1 200
				disconnect`},
			{Name: "a plain Send for a call that names none", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				disconnect`},
			{Name: "the reply may be that to the call as it was sent first", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" count=300
				    write 0x2001 150 0x2002 150
				    inv 0x2001
				wait 2s
				call 2 again
				    write 0x2001 150 0x2002 150
				    inv 0x2002
				reply 2 data=bytes(300)
				    invalidate 0x2001
				call 3 NFS3 NULL
				reply 3
				disconnect`},
		},
	}
}

// doubtAdapter is why a handle may not be invalidated.
const doubtAdapter = "the responder's adapter may not have Send With Invalidate"

func message003(c *rules.Conn, m *dissect.Message, say rules.Say) {
	r := m.RPC()
	if !spoken(m) || !m.Answer || r == nil {
		return
	}
	able := &of(c).able[m.From&1]
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
		plain(c, say, m, *able)
		return
	}
	if f := say.Message(letter, m, ""); f != nil {
		allowed := "none"
		if wanted != 0 {
			allowed = rules.Handle(wanted)
		}
		f.Sayf("the %s replied by Send With Invalidate of handle %s; the call's rdma_inv_handle names %s", c.Sender(m.From), rules.Handle(m.Invalidated), allowed)
		f.See("invalidated handle", rules.Handle(m.Invalidated), allowed).At(rules.InvalidatedAt(m)).With(r.Call.Frames...)
	}
}

// plain tells of a reply that invalidates nothing.
func plain(c *rules.Conn, say rules.Say, m *dissect.Message, able bool) {
	doubt := ""
	if !able && !c.IWARP() {
		doubt = doubtAdapter
	}
	if f := say.Message("c", m, doubt); f != nil {
		call := m.RPC().Call
		f.Sayf("the %s replied by a plain Send, though the call lets handle %s be invalidated", c.Sender(m.From), rules.Handle(call.Header.InvHandle))
		f.See("Send With Invalidate", false, true).Word(m, atInvHandle).With(call.Frames...)
	}
}

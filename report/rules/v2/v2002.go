package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2002() *rules.Rule {
	return &rules.Rule{
		ID: "V2-002", Title: "rdma_inv_handle illegal",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "The handle that a call lets its responder invalidate is none of those in its own chunk lists, or the reply does not have the " +
			"handle that its call had.",
		Why: "A responder that does as it is told takes away memory that belongs to another RPC, or to none. A requester that goes by the reply " +
			"takes memory for invalidated that still is registered, or the other way round.",
		Advice: "Let the requester choose the handle after its lists are made, from these, or set it to zero; and let the responder copy the " +
			"word of the call.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2.3",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut), rules.SilentIf(rules.LostSince, rules.Unpaired).Of("a reply")},
		Limits:    "Silent about a reply if the call is not in the capture. An RDMA2_OPTIONAL has no such word.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a call names a handle that it does not advertise", Severity: rules.Error},
			{Letter: "b", Title: "a reply does not have the handle of its call", Severity: rules.Error},
		},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message002)},
		Fires: []rules.Sample{
			{Name: "a handle of nobody's", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    inv 0x1002
				    want V2-002a inv
				reply 1 data=bytes(100)
				    plain
				disconnect`},
			{Name: "a call without chunks", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				    inv 0x1001
				    want V2-002a 20+4
				reply 1
				    plain
				disconnect`},
			{Name: "a reply with zero", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    inv 0x1001
				reply 1 data=bytes(100)
				    inv 0
				    want V2-002b inv
				disconnect`},
			{Name: "a reply with the other handle", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 50 0x1002 50
				    inv 0x1001
				reply 1 data=bytes(100)
				    inv 0x1002
				    want V2-002b 20+4
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "zero", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				disconnect`},
			{Name: "a handle of each list", Scene: `
				connect version=2
				call 1 NFS3 WRITE count=100 data=bytes(100)
				    read 0x1001 100
				    inv 0x1001
				reply 1 count=100
				call 2 NFS3 READ count=100
				    write 0x1002 50 0x1003 50
				    inv 0x1003
				reply 2 data=bytes(100)
				call 3 NFS3 READDIR
				    replychunk 0x1004 4096
				    inv 0x1004
				reply 3
				call 4 NFS3 WRITE count=3000 data=bytes(3000)
				    long 0x1005 all
				    inv 0x1005
				reply 4 count=3000
				disconnect`},
			{Name: "an error copies no handle", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 100
				    inv 0x1001
				error 2 CANT_REPLY FALSE 1 200
				disconnect`},
			{Name: "the reply may be that to the call as it was sent first", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" count=300
				    write 0x2001 300
				    inv 0x2001
				wait 2s
				call 2 again
				    write 0x2002 300
				    inv 0x2002
				reply 2 data=bytes(300)
				    inv 0x2001
				    place none
				    plain
				call 3 NFS3 NULL
				reply 3
				disconnect`},
		},
	}
}

func message002(c *rules.Conn, m *dissect.Message, say rules.Say) {
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
		if f := say.Message("a", m, ""); f != nil {
			f.Sayf("the %s's call lets handle %s be invalidated, which it does not advertise", c.Sender(m.From), rules.Handle(h.InvHandle))
			f.See("rdma_inv_handle", rules.Handle(h.InvHandle), "0, or a handle of the call").Word(m, atInvHandle)
		}
	case answers(c, r) && h.InvHandle != r.Call.Header.InvHandle:
		if f := say.Message("b", m, ""); f != nil {
			was := r.Call.Header.InvHandle
			f.Sayf("the %s's reply has rdma_inv_handle %s, and its call %s", c.Sender(m.From), rules.Handle(h.InvHandle), rules.Handle(was))
			f.See("rdma_inv_handle", rules.Handle(h.InvHandle), rules.Handle(was)).Word(m, atInvHandle).With(r.Call.Frames...)
		}
	}
}

// answers reports whether the reply of an RPC surely answers its call, which has an
// rdma_inv_handle.
func answers(c *rules.Conn, r *dissect.RPC) bool {
	return sound(c, r.Call) && lists(r.Call) && c.Paired(r) && !c.LostSince(r.Call.Frame())
}

package inv

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func inv002() *rules.Rule {
	return &rules.Rule{
		ID: "INV-002", Title: "Invalidated handle does not belong to the RPC",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A reply invalidates a handle that its call did not advertise. The handle may be that of another call, or " +
			"of none.",
		Why: "The memory of another RPC is taken away while the responder may still move its data: that operation fails with " +
			"a remote access error, or the connection does. Nobody expects the invalidation, so the memory is thought " +
			"registered.",
		Advice:    "Look at how the responder chooses the handle: it must be one from the chunk lists of the very call.",
		Reference: "RFC 8797, section 4.1; RFC 8166, section 4.4.1; draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3.2",
		Gates:     rules.Gates{rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Cut), rules.DetailIf(rules.BeganLate)},
		Limits: "Silent where the call is not in the capture, where a call with the same XID was sent before and got no answer " +
			"(RPC-003), and in the first 30 seconds of a connection whose beginning was not captured.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{rules.OnMessage(rules.Invalidating, message002)},
		Fires: []rules.Sample{
			{Name: "a handle of another call", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 9 NFS3 NULL
				reply 9
				call 1 NFS3 READ count=100
				    write 0x1001 100
				call 2 NFS3 READ count=100
				    write 0x2001 100
				reply 1 data=bytes(100)
				    invalidate 0x2001
				    want INV-002
				reply 2 NFS3ERR_IO
				disconnect`},
			{Name: "a handle of nobody's, in version 2", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 100; inv 0x1001
				reply 1 data=bytes(100)
				    invalidate 0x7777
				    want INV-002
				disconnect`},
			{Name: "a handle of nobody's", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 GETATTR
				reply 1
				    invalidate 0x1001
				    want INV-002
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the handle that a call of version 2 names", Scene: `
				connect version=2
				call 1 NFS3 READ count=100
				    write 0x1001 50 0x1002 50; inv 0x1002
				reply 1 data=bytes(100)
				disconnect`},
			{Name: "one of several handles of the call", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=200
				    write 0x1001 100 0x1002 100
				reply 1 data=bytes(200)
				    invalidate 0x1002
				disconnect`},
			{Name: "a handle of the call as it was sent first", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 READ file="fh" count=300
				    write 0x2001 300
				rdma write server 0x2001 300
				wait 2s
				call 1 again
				    write 0x2002 300
				reply 1 data=bytes(300)
				    returns write 0x2001 300
				    place none
				    invalidate 0x2001
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the call as it was sent first is missing from the capture", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 READ file="fh" count=300
				    write 0x2001 300
				    drop frame 1
				wait 2s
				call 1 again
				    write 0x2002 300
				reply 1 data=bytes(300)
				    returns write 0x2001 300
				    place none
				    invalidate 0x2001
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "a handle of the Read list", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 WRITE count=100 data=bytes(100)
				    read 0x1001 100
				reply 1 count=100
				    invalidate 0x1001
				disconnect`},
		},
	}
}

func message002(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if !m.HasInvalidated || !m.Answer {
		return
	}
	r := m.RPC()
	if r == nil || r.Call == nil || c.Cut(r.Call) || r.Call.Header.Fault.Bad() || r.Call.Header.Names(m.Invalidated) {
		return
	}
	j := memory.JudgeOf(c)
	if j.Resent(r) || !j.Knows(r.Call.First) || c.LostSince(r.Call.Frame()) {
		return // it may answer another call with the XID
	}
	f := say.Message("", m, "")
	if f == nil {
		return
	}
	whose := "which no call that was captured advertised"
	if g := j.Ledger().Newest(m.Invalidated); g != nil {
		whose = fmt.Sprintf("which belongs to the call with XID %s in frame %s", rules.Handle(g.XID), c.Capture.FrameName(g.Call))
		f.With(g.Call).Also(g.XID)
	}
	f.Sayf("the reply to XID 0x%08x invalidates handle 0x%08x, %s", m.Header.XID, m.Invalidated, whose)
	f.See("invalidated handle", rules.Handle(m.Invalidated), list(handles(nil, &r.Call.Header))).At(rules.InvalidatedAt(m))
}

// list names the handles of a call for a person.
func list(all []uint32) string {
	if len(all) == 0 {
		return "none: the call advertises no memory"
	}
	return "one of " + rules.Handles(all)
}

package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func ddp015() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-015", Title: "RDMA access with a never-advertised R_key",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning:  "An RDMA Read or Write names a handle that no transport header of this connection advertised.",
		Why: "The responder touches memory that was never offered to it. If the handle happens to be valid, memory of " +
			"something else is overwritten or disclosed; else the connection ends with a remote access error.",
		Advice: "Compare the handle with those in the calls before it. One with its octets in reverse order was not " +
			"converted from network byte order; another may belong to an earlier connection.",
		Reference: "RFC 8166, sections 3.4.1 and 8.1.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Requester)),
			rules.DetailIf(rules.BeganLate, rules.LostSince, rules.Lossy, rules.Disordered),
		},
		Limits: "Silent in the first 30 seconds of a connection whose beginning was not captured, and for 30 seconds after a hole in " +
			"the capture: the call may be missing. Where no message of the requester follows it is likely only if the requester " +
			"refuses such an access. Only the last some thousand advertised segments are remembered, so that an access long after " +
			"its call may be told as this and not as DDP-016.",
		Causes: []string{"SEC-003", "RPC-004c"},
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{memory.OnOffence(memory.Never, offence015)},
		Fires: []rules.Sample{
			{Name: "a handle that no call has", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write server 0x7777 100
				    want DDP-015
				reply 1 data=bytes(4096) eof=true
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "a handle in reverse byte order", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x11223344 3000
				    nopull
				rdma read server 0x44332211 3000
				    want DDP-015
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a handle of nobody's behind transport characteristics", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				optional 9 client INIT_XCHAR [RBSIZ=8192]
				error 9 INVAL_OPTION
				call 2 NFS3 GETATTR
				rdma write server 0x7777 100
				    want DDP-015
				reply 2
				call 3 NFS3 NULL
				reply 3
				wait 2s
				call 4 NFS3 NULL
				reply 4
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an extension of version 2 that nobody knows may have advertised the handle", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				optional 9 client 77 bytes(20)
				call 2 NFS3 GETATTR
				rdma write server 0x7777 100
				reply 2
				call 3 NFS3 NULL
				reply 3
				wait 2s
				call 4 NFS3 NULL
				reply 4
				disconnect`},
			{Name: "the capture began late", Scene: `
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write server 0x7777 100
				reply 1 data=bytes(4096) eof=true
				disconnect`},
			{Name: "the capture ends before the call with the handle shows to be missing", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				call 3 NFS3 READ file="fh" count=3000
				    write 0x2001 4096
				    drop
				rdma write server 0x2001 1000`},
			{Name: "the connection ends before the call with the handle shows to be missing", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				call 3 NFS3 READ file="fh" count=3000
				    write 0x2001 4096
				    drop
				rdma write server 0x2001 1000
				    drop frame 2
				disconnect`},
			{Name: "the client refuses what a call allowed that is missing from the capture", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    drop frame 1
				rdma write server 0x1001 100
				    noack
				nak client access
				    want TRANS-004
				disconnect`},
			{Name: "two neighbouring segments of a call that is captured late", Scene: `
				connect
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 READ file="fh" count=2000
				    write 0x2001 1000@0x1000 0x2001 1000@0x13e8
				    late 2 frame 1
				rdma write server 0x2001 1024@0x1000
				rdma write server 0x2001 976@0x1400
				reply 1 data=bytes(2000) eof=true
				    place none
				call 2 NFS3 NULL
				reply 2
				wait 1s
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "the call with the handle is missing from the capture", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000
				    nopull
				    drop
				rdma read server 0x1001 3000
				reply 2 count=3000
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "an RDMA Read without octets", Scene: `
				connect
				call 1 NFS3 NULL
				rdma read server 0x7777 0
				reply 1
				disconnect`},
		},
	}
}

func offence015(c *rules.Conn, o *memory.Offence, say rules.Say) {
	j := memory.JudgeOf(c)
	if j.Driven(o) {
		return // DDP-019
	}
	f := o.Say(say, "")
	if f == nil {
		return
	}
	f.Sayf("the %s %s %s, which no call of this connection advertised", c.Sender(o.From), o.Verb(), o.Span())
	f.See("handle", rules.Handle(o.Handle), nil)
	if g := j.SwappedOf(o); g != nil {
		f.Sayf("the %s %s %s: the handle %s that a call advertised, in reverse byte order", c.Sender(o.From), o.Verb(), o.Span(), rules.Handle(g.Handle))
		f.Evidence = f.Evidence[:0]
		f.See("handle", rules.Handle(o.Handle), rules.Handle(g.Handle))
		f.Advise("Convert the handle of each segment from network byte order before it is used, or leave it as it is in both places.")
	}
}

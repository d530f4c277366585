package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr010() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-010", Title: "Reply does not echo the offered chunks",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A reply returns other chunks than its call offered. It has to return each Write chunk and the Reply chunk " +
			"with the same segments, and may change nothing but their lengths, to what was written.",
		Why: "The requester reads from the returned lists which memory was filled and how far. One that trusts them " +
			"invalidates the wrong memory, or puts the result together from the wrong pieces.",
		Advice: "Build the lists of the reply by copying those of the call, and put the written lengths in. An unused chunk is " +
			"returned with every length zero.",
		Reference: "RFC 8166, sections 3.4.6, 4.3.2 and 4.3.3",
		Gates:     rules.Gates{rules.SilentIf(rules.LostSince, rules.Unpaired), rules.LikelyIf(rules.BeganLate)},
		Limits: "Silent without the call. Where the capture began late the call may have been sent again with other memory. An " +
			"RDMA_ERROR returns no chunks, nor does an RDMA2_OPTIONAL. A Write chunk that comes back without any segment is " +
			"ULB-004's, and a Reply chunk that is missing in, or was never offered to, an RDMA_NOMSG reply HDR-006's.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the number of Write chunks differs", Severity: rules.Error},
			{Letter: "b", Title: "the number of segments of a chunk differs", Severity: rules.Error},
			{Letter: "c", Title: "a handle or an offset was changed", Severity: rules.Error},
			{Letter: "d", Title: "a returned length is more than was offered", Severity: rules.Error},
			{Letter: "e", Title: "the offered Reply chunk is missing", Severity: rules.Error},
			{Letter: "f", Title: "a chunk appears that was never offered", Severity: rules.Error},
		},
		Causes: []string{"HDR-005b", "HDR-003e"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithChunks, rpc010)},
		Fires: []rules.Sample{
			{Name: "the Write list of a READ is not returned", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 count=100 data=bytes(100)
				    returns none
				    want HDR-010a 20+4
				disconnect`},
			{Name: "one segment of two is returned", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 60 0x1002 40
				reply 1 count=100 data=bytes(100)
				    returns write 0x1001 100
				    want HDR-010b 24+4
				disconnect`},
			{Name: "another handle is returned", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 count=100 data=bytes(100)
				    set write1.1.handle 0x1002
				    want HDR-010c 28+16
				disconnect`},
			{Name: "another offset is returned", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 count=100 data=bytes(100)
				    set write1.1.offset+4+4 8
				    want HDR-010c 28+16
				disconnect`},
			{Name: "more is returned than there was room for", Scene: `
				connect
				call 1 NFS3 READLINK
				    write 0x1001 1024
				reply 1 data=text(1028)
				    place 1024
				    returns write 0x1001 1028
				    want HDR-010d 32+4
				disconnect`},
			{Name: "an inline reply lacks the Reply chunk", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x1001 4096
				reply 1
				    inline
				    returns none
				    want HDR-010e 24+4
				disconnect`},
			{Name: "a Write chunk comes back that nobody offered", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    returns write 0x1001 100
				    want HDR-010f 20+4
				disconnect`},
			{Name: "the chunks of version 2 do not come back as they were offered", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 100
				reply 2 count=100 data=bytes(100)
				    returns none
				    want HDR-010a 28+4
				call 3 NFS3 READ count=100
				    write 0x1001 100
				reply 3 count=100 data=bytes(100)
				    set write1.1.handle 0x1002
				    want HDR-010c 36+16
				call 4 NFS3 READLINK
				    write 0x1001 1024
				reply 4 data=text(1028)
				    place 1024
				    returns write 0x1001 1028
				    want HDR-010d 40+4
				call 5 NFS3 GETATTR
				    replychunk 0x1001 4096
				reply 5
				    inline
				    returns none
				    want HDR-010e 32+4
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "what has no lists in version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 100
				    replychunk 0x1002 4096
				error 2 CANT_REPLY FALSE 0 0
				call 3 NFS3 READ count=100
				    write 0x1001 100
				reply 3 count=100 data=bytes(100)
				    optional 77 bytes(4)
				disconnect`},
			{Name: "an unused Write chunk comes back empty", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 NFS3ERR_IO
				    returns write empty
				disconnect`},
			{Name: "a call is sent again with other memory, and the reply returns the first", Scene: `
				connect
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 READ file="fh" count=300
				    write 0x2001 300
				wait 2s
				call 1 again
				    write 0x2002 300
				reply 1 data=bytes(300)
				    returns write 0x2001 300
				    place none
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "both calls are answered", Scene: `
				connect
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 READ file="fh" count=300
				    write 0x2001 300
				call 1 again
				    write 0x2002 300
				reply 1 data=bytes(300)
				    returns write 0x2001 300
				    place none
				reply 1 data=bytes(300)
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the call is not in the capture", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    drop
				reply 1 count=100 data=bytes(100)
				    set write1.1.handle 0x1002
				disconnect`},
			{Name: "lengths are what was written", Scene: `
				connect
				call 1 NFS3 READ count=4096
				    write 0x1001 4000 0x1002 96
				    replychunk 0x1003 4096
				reply 1 count=100 data=bytes(100)
				disconnect`},
			{Name: "a Write chunk comes back unused", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 NFS3ERR_IO
				disconnect`},
			{Name: "an RDMA_ERROR returns no chunks", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    replychunk 0x1002 4096
				error 1 ERR_CHUNK
				disconnect`},
		},
	}
}

func rpc010(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil || r.Reply == nil || r.Call.Header.Version != r.Reply.Header.Version {
		return
	}
	call, reply := &r.Call.Header, &r.Reply.Header
	if len(call.Segments)+len(call.Writes)+len(reply.Segments)+len(reply.Writes) == 0 && !call.HasReply && !reply.HasReply {
		return
	}
	if call.Fault.Bad() || reply.Fault.Bad() || reply.Proc == rpcrdma.RDMAError ||
		call.Proc == rpcrdma.RDMA2Optional || reply.Proc == rpcrdma.RDMA2Optional {
		return
	}
	// The reply may be that to a call which is missing: as it was sent first.
	if !c.Paired(r) || c.LostSince(r.Call.Frame()) {
		return
	}
	e := echo{c, say, r, call, reply}
	e.writes()
	e.replyChunk()
}

package sec

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
	"github.com/rdmacap/rdmacap/report/rules/size"
)

func sec004() *rules.Rule {
	return &rules.Rule{
		ID: "SEC-004", Title: "Excess or overlapping exposure",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A requester opens more of its memory than the RPC can use, opens the same memory for several purposes at once, or " +
			"leaves it open when the RPC is over.",
		Why: "What is open can be read or overwritten by the server, on purpose or by mistake. Overlapping memory makes one RPC " +
			"destroy the data of another.",
		Advice: "Register exactly the buffers of the RPC, each for the one purpose that it has, and invalidate them before the result " +
			"is handed on.",
		Reference: "RFC 8166, sections 8.1.3 and 8.1.4; draft-cel-nfsv4-rfc5666-implementation-experience-02, section 9",
		Fields:    size.Fields(),
		Gates: rules.Gates{
			rules.SilentIf(rules.Cut).In("abc"),
			rules.SilentIf(rules.Protected).In("a"),
			rules.SilentIf(rules.OneDirection, rules.LostSince).In("bc"),
			rules.DetailIf(rules.BeganLate, rules.Disordered),
			rules.SilentIf(rules.LostSince).In("d").Since("the reply"),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Receiver)).In("d"),
		},
		Limits: "Case a needs a segment above the configured limit, or a chunk that is larger than twice the largest item or reply " +
			"that the call asks for and at least 64 KiB above it, since clients read ahead into larger buffers; where a call sets " +
			"no limit nothing is said. Offsets of different handles cannot be compared, so that overlaps show only under one " +
			"handle; segments of at most 4 octets, which Linux clients share for XDR pads, are left out. That two calls were open " +
			"at once is judged only where the replies prove it, or some milliseconds do.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a segment or chunk far larger than any item or reply", Severity: rules.Warning},
			{Letter: "b", Title: "the same memory is writable in two open calls", Severity: rules.Warning},
			{Letter: "c", Title: "the same memory is readable and writable at once", Severity: rules.Warning},
			{Letter: "d", Title: "the handle still worked when its RPC was over", Severity: rules.Warning},
		},
		Causes: []string{"SEC-001"},
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On: []rules.Event{
			rules.OnMessage(rules.WithChunks, message004), rules.OnRPC(rules.WithChunks, rpc004), memory.OnOffence(memory.TooLate, late004),
		},
		Fires: []rules.Sample{
			{Name: "a Reply chunk of 128 MiB", Scene: `
				connect
				call 1 NFS3 READDIR count=4096
				    replychunk 0x1001 0x8000000
				    want SEC-004a replychunk.1
				reply 1
				disconnect`},
			{Name: "a Write chunk of many times what the READ asks for", Scene: `
				connect
				call 1 NFS3 READ count=4096
				    write 0x1001 4096 0x1002 0x10000
				    want SEC-004a write1.count+4+32
				reply 1 data=bytes(4096)
				disconnect`},
			{Name: "a Reply chunk of many times what READDIR asks for", Scene: `
				connect
				call 1 NFS3 READDIR count=32768
				    replychunk 0x1001 0x20000
				    want SEC-004a replychunk.1
				reply 1
				disconnect`},
			{Name: "two reads into the same buffer", Scene: `
				connect
				call 9 NFS3 NULL
				reply 9
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7040
				    want SEC-004b write1.1
				reply 2 data=bytes(100)
				reply 1 data=bytes(100)
				disconnect`},
			{Name: "written from while it is read into", Scene: `
				connect
				call 9 NFS3 NULL
				reply 9
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				call 2 NFS3 WRITE count=100 data=bytes(100)
				    read 0x1001 100@0x7000
				    want SEC-004c read1+4+16
				reply 2 count=100
				reply 1 data=bytes(100)
				disconnect`},
			{Name: "the memory can be read behind the reply", Scene: `
				connect
				call 1 NFS3 WRITE count=100 data=bytes(100)
				    read 0x1001 100@0x7000
				reply 1 count=100
				rdma read server 0x1001 100@0x7000
				    want SEC-004d
				    want DDP-016
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "more memory than a READ of version 2 can fill", Scene: `
				connect version=2
				call 1 NFS3 READ file="fh" count=4096
				    write 0x801 1048576
				    want SEC-004a write1.1
				reply 1 data=bytes(4096)`},
		},
		Silent: []rules.Sample{
			{Name: "a READ of few octets into a buffer for readahead", Scene: `
				connect
				call 1 NFS3 READ count=4096
				    write 0x1001 0x10ffc
				reply 1 data=bytes(4096)
				disconnect`},
			{Name: "a READ of half of its buffer", Scene: `
				connect
				call 1 NFS3 READ count=0x100000
				    write 0x1001 0x200000
				reply 1 data=bytes(4096)
				disconnect`},
			{Name: "a Reply chunk where the reply has no limit", Scene: `
				connect
				call 1 NFS3 READLINK
				    replychunk 0x1001 0x20000
				reply 1
				disconnect`},
			{Name: "an RDMA Write is missing from the capture, so that the reply is told behind the next call", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				    drop frame 1
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 2 data=bytes(100)
				disconnect`},
			{Name: "a reply is missing from the capture", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				    drop
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 2 data=bytes(100)
				disconnect`},
			{Name: "the call that opens the memory again may be missing from the capture", Scene: `
				connect
				call 1 NFS3 WRITE count=100 data=bytes(100)
				    read 0x1001 100@0x7000
				reply 1 count=100
				call 2 NFS3 WRITE count=100 data=bytes(100)
				    read 0x1001 100@0x7000
				    nopull
				    drop
				rdma read server 0x1001 100@0x7000`},
			{Name: "neighbouring parts of one registration", Scene: `
				connect
				call 9 NFS3 NULL
				reply 9
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7064
				reply 2 data=bytes(100)
				reply 1 data=bytes(100)
				disconnect`},
			{Name: "the memory is opened again in between", Scene: `
				connect
				call 1 NFS3 WRITE count=100 data=bytes(100)
				    read 0x1001 100@0x7000
				reply 1 count=100
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 2 data=bytes(100)
				disconnect`},
		},
	}
}

// message004 looks for a segment that is too large for whatever it is.
func message004(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if m.Role() != dissect.RoleCall || c.Cut(m) || m.Header.Fault.Bad() {
		return
	}
	for s, at := range segments(m) {
		if uint64(s.Length) <= c.Capture.Config.Exposure {
			continue
		}
		if f := say.Message("a", m, ""); f != nil {
			f.Sayf("the %s opened %d octets under handle %s", c.Sender(m.From), s.Length, rules.Handle(s.Handle))
			f.See("segment length", int64(s.Length), "at most "+rules.Count(c.Capture.Config.Exposure)).In(m, at, rpcrdma.SegmentSize)
		}
	}
}

func rpc004(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if !c.Sound(r.Call) {
		return
	}
	excess(c, r, say)
	if judgeable(c, r) {
		for s, at := range segments(r.Call) {
			shared(c, r, s, at, say)
		}
	}
}

// shared looks for memory that another call had open too.
func shared(c *rules.Conn, r *dissect.RPC, s segment, at int, say rules.Say) {
	if s.Length <= pad {
		return
	}
	g := beside(c, r, s.Handle, func(g *memory.Grant) bool {
		// Two calls may write out the same data.
		return (s.writable || g.Purpose != rpcrdma.ForRead) && overlap(g.Segment, s.Segment)
	})
	if g == nil {
		return
	}
	letter, what := "b", "writable"
	if s.writable != (g.Purpose != rpcrdma.ForRead) {
		letter, what = "c", "both readable and writable"
	}
	if f := say.Part(letter, r, r.Call, ""); f != nil {
		f.Sayf("memory under handle %s is %s for the open calls with XIDs %s and %s at once", rules.Handle(s.Handle), what, rules.Handle(g.XID), rules.Handle(r.XID))
		f.See("segment", s.String(), nil).See("segment of the other call", g.Segment.String(), nil).In(r.Call, at, rpcrdma.SegmentSize).With(g.Call)
	}
}

// late004 looks for an RDMA Read behind the end of its RPC that brought octets: the
// memory was still open.
func late004(c *rules.Conn, o *memory.Offence, say rules.Say) {
	g := &o.Grant
	if o.Kind != dissect.AccessRead || !o.Answered || !g.Has(o.Offset, uint64(o.Length)) {
		return
	}
	if f := o.Say(say, "d"); f != nil {
		f.Sayf("the %s read memory of the call with XID %s and got it, behind %s in frame %s: handle %s was not invalidated",
			c.Sender(o.From), rules.Handle(g.XID), g.Over, c.Capture.FrameName(g.By), rules.Handle(o.Handle))
		f.See("handle", rules.Handle(o.Handle), nil).With(g.By)
	}
}

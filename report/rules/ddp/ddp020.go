package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

// longestPath is how many octets the path of a READLINK may have that every NFS
// server must be able to return (RFC 1094, section 2).
const longestPath = 1024

func ddp020() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-020", Title: "Advertised chunk geometry unusable",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The chunks of a call cannot serve what they are for: one is too short for the result that the call " +
			"asks for, a segment wraps around the address space or has no octets, two segments to be written overlap, or " +
			"a chunk that conveys a whole RPC message has a length that no RPC message has.",
		Why: "The responder must fail the call or cut the result short; where segments overlap, results overwrite each " +
			"other.",
		Advice: "Look at how the requester sizes its chunks: by the count of the operation that each is for, and one " +
			"registration for each.",
		Reference: "RFC 8166, sections 3.4.1, 3.4.6, 3.5.3 and 4.3.2",
		Limits: "READLINK names no count, so a chunk for it of less than 1024 octets is only likely to be too short. " +
			"Overlaps are looked for among the first 256 segments that may be written to, and only within one handle: " +
			"the same addresses of two handles are different memory. Chunks that RPCSEC_GSS protects are not compared " +
			"with counts.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a Write chunk is shorter than the longest result asked for", Severity: rules.Error},
			{Letter: "b", Title: "a segment wraps around the address space", Severity: rules.Error},
			{Letter: "c", Title: "a segment has no octets", Severity: rules.Warning},
			{Letter: "d", Title: "two segments to be written overlap", Severity: rules.Warning},
			{Letter: "e", Title: "a whole RPC message in a chunk is no multiple of 4 octets long", Severity: rules.Error},
		},
		Fields: countFields(),
		Watch:  watch020,
		Late:   true,
		Fires: []rules.Sample{
			{Name: "a READ asks for more than its Write chunk holds", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=8192
				    write 0x2001 4096
				    want DDP-020a write1.1
				reply 1 data=bytes(4096)
				disconnect`},
			{Name: "the second of two READs has too little room", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=4096} READ{offset=4096 count=4096}]
				    write 0x2001 4096
				    write 0x2002 1024
				    want DDP-020a write2.1
				reply 1 [SEQUENCE PUTFH READ{data=bytes(4096)} READ{data=bytes(1000)}]
				disconnect`},
			{Name: "a segment wraps", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096@0xfffffffffffff800
				    want DDP-020b write1.1
				reply 1 NFS3ERR_IO
				    unused
				disconnect`},
			{Name: "a segment without octets", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096 0x2002 0
				    want DDP-020c write1.2
				reply 1 data=bytes(4096)
				disconnect`},
			{Name: "two Write chunks overlap", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=4096} READ{offset=4096 count=4096}]
				    write 0x2001 4096@0x10000
				    write 0x2001 4096@0x10800
				    want DDP-020d write2.1
				reply 1 [SEQUENCE PUTFH READ{data=bytes(1000)} READ{data=bytes(1000)}]
				disconnect`},
			{Name: "a long call of 4098 octets", Scene: `
				connect
				call 1 NFS3 LOOKUP what={dir="fh" name=text(200)}
				    long 0x1001 4098
				    want DDP-020e read1.length
				reply 1
				disconnect`},
			{Name: "a long reply of 51 octets", Scene: `
				connect
				call 1 NFS3 READDIR dir="fh" count=4096
				    replychunk 0x3001 8192
				reply 1
				    place replychunk 51
				    returns replychunk 0x3001 51
				    want DDP-020e replychunk.1.length
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "as many octets as are asked for", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 2048 0x2002 2048
				reply 1 data=bytes(4096)
				disconnect`},
			{Name: "the last octet of the address space", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096@0xfffffffffffff000
				reply 1 data=bytes(4096)
				disconnect`},
			{Name: "the same addresses in two handles", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=4096} READ{offset=4096 count=4096}]
				    write 0x2001 4096@0x10000
				    write 0x2002 4096@0x10000
				reply 1 [SEQUENCE PUTFH READ{data=bytes(1000)} READ{data=bytes(1000)}]
				disconnect`},
			{Name: "the second READ has an empty chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=4096} READ{offset=4096 count=100}]
				    write 0x2001 4096
				    write empty
				reply 1 [SEQUENCE PUTFH READ{data=bytes(4096)} READ{data=bytes(100)}]
				disconnect`},
		},
	}
}

func watch020(c *rules.Conn, say rules.Say) rules.Hooks {
	s := readingOf(c)
	return rules.Hooks{
		MessageOf: rules.WithChunks,
		Message: func(m *dissect.Message) {
			h := &m.Header
			if len(h.Reads)+len(h.Segments) == 0 || h.Fault.Bad() {
				return
			}
			if rules.Sound(m) && m.Role() != dissect.RoleNone {
				geometry(c, say, m)
			}
		},
		RPCOf: rules.WithWrites,
		RPC: func(r *dissect.RPC) {
			if r.Call == nil || len(r.Call.Header.Writes) == 0 {
				return
			}
			list, _ := s.eligibleResults(r)
			h := &r.Call.Header
			for i := range min(len(list), len(h.Writes)) {
				room := h.ChunkLength(h.Writes[i])
				need, doubt := list[i].count, ""
				if !list[i].counted && list[i].name == "READLINK" {
					need, doubt = longestPath, "READLINK does not say how long the path may be"
				}
				if room == 0 || room >= need {
					continue
				}
				if f := say.Part("a", r, r.Call, doubt); f != nil {
					f.Sayf("the %s offers %d octets for a %s of up to %d", c.Sender(r.Requester), room, list[i].name, need)
					f.See("octets offered", room, "at least "+decimal(need))
					markWrite(f, r.Call, i)
				}
				return
			}
		},
	}
}

// geometry judges the segments by themselves.
func geometry(c *rules.Conn, say rules.Say, m *dissect.Message) {
	h := &m.Header
	sender := c.Sender(m.From)
	if m.Answer {
		if n := h.ChunkLength(h.Reply); h.HasReply && h.Proc == rpcrdma.RDMANoMsg && n%4 != 0 {
			if f := say.Message("e", m, ""); f != nil {
				f.Sayf("the %s's long reply has %d octets, and an RPC message a multiple of 4", sender, n)
				f.See("octets returned", n, "a multiple of 4")
				f.Word(m, h.SegmentAt(h.Reply.First+h.Reply.Count-1)+rpcrdma.SegmentLength)
			}
		}
		return
	}
	if n, long := h.PositionZero(); long && n%4 != 0 {
		if f := say.Message("e", m, ""); f != nil {
			f.Sayf("the %s's Position-Zero Read chunk has %d octets, and an RPC message a multiple of 4", sender, n)
			f.See("octets", n, "a multiple of 4")
			markLengths(f, m, 0)
		}
	}
	for i := range h.Reads {
		segment(say, m, h.Reads[i].Segment, sender, h.ReadSegmentAt(i))
	}
	for i, g := range h.Segments {
		if g.Length == 0 || wraps(g) {
			segment(say, m, g, sender, h.SegmentAt(i))
		}
	}
	if i, j := overlap(h.Segments); j > 0 {
		if f := say.Message("d", m, ""); f != nil {
			a, b := h.Segments[i], h.Segments[j]
			f.Sayf("the %s offers %s and %s to be written", sender, memory.OctetsAt(a.Handle, a.Offset, uint64(a.Length)), memory.OctetsAt(b.Handle, b.Offset, uint64(b.Length)))
			f.See("offset", rules.Offset(b.Offset), nil).In(m, h.SegmentAt(j), rpcrdma.SegmentSize)
		}
	}
}

// segment judges one segment, which stands at an offset of the Send.
func segment(say rules.Say, m *dissect.Message, g rpcrdma.Segment, sender string, at int) {
	switch {
	case g.Length == 0:
		if f := say.Message("c", m, ""); f != nil {
			f.Sayf("the %s advertises a segment without octets (handle 0x%08x)", sender, g.Handle)
			f.See("length", 0, "at least 1").In(m, at, rpcrdma.SegmentSize)
		}
	case wraps(g):
		if f := say.Message("b", m, ""); f != nil {
			f.Sayf("the %s advertises %s, which wraps around the address space", sender, memory.OctetsAt(g.Handle, g.Offset, uint64(g.Length)))
			f.See("offset", rules.Offset(g.Offset), "at most "+rules.Offset(-uint64(g.Length))).In(m, at, rpcrdma.SegmentSize)
		}
	}
}

// wraps reports whether a segment goes beyond the last octet of the address space.
func wraps(g rpcrdma.Segment) bool { return g.Offset+uint64(g.Length)-1 < g.Offset }

// overlap is the first pair of segments of one handle that have an octet in common;
// 0, 0 if there is none among the first of a list.
func overlap(list []rpcrdma.Segment) (i, j int) {
	const most = 256
	for j = 1; j < min(len(list), most); j++ {
		b := &list[j]
		for i = range j {
			if a := &list[i]; a.Handle == b.Handle && a.Offset < b.Offset+uint64(b.Length) && b.Offset < a.Offset+uint64(a.Length) && !wraps(*a) && !wraps(*b) {
				return i, j
			}
		}
	}
	return 0, 0
}

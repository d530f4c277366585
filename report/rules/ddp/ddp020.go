package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
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
		Gates:     rules.Gates{rules.SilentIf(rules.Cut), rules.SilentIf(rules.Protected).In("a")},
		Limits: "READLINK names no count, so a chunk for it of less than 1024 octets is only likely to be too short. Overlaps are " +
			"looked for among the first 256 segments that may be written to, and only within one handle: the same addresses of two " +
			"handles are different memory.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a Write chunk is shorter than the longest result asked for", Severity: rules.Error},
			{Letter: "b", Title: "a segment wraps around the address space", Severity: rules.Error},
			{Letter: "c", Title: "a segment has no octets", Severity: rules.Warning},
			{Letter: "d", Title: "two segments to be written overlap", Severity: rules.Warning},
			{Letter: "e", Title: "a whole RPC message in a chunk is no multiple of 4 octets long", Severity: rules.Error},
		},
		Fields: countFields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnMessage(rules.WithChunks, message020), rules.OnRPC(rules.WithWrites, rpc020)},
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
			{Name: "chunks of version 2 that cannot be used", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" count=4096
				    write 0x2001 4000
				    want DDP-020a write1.1
				error 2 CANT_REPLY FALSE 1 4096
				call 3 NFS3 GETATTR object="fh"
				    replychunk 0x2002 4096@0xffffffffffffff00
				    want DDP-020b replychunk.1
				reply 3
				    inline
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "chunks of version 2, one with an extension", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 2 data=bytes(4096)
				call 3 NFS3 READ file="fh" count=4096
				    optional 77 bytes(8)
				reply 3 data=bytes(100)
				disconnect`},
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

func message020(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	if len(h.Reads)+len(h.Segments) == 0 || h.Fault.Bad() {
		return
	}
	if c.Sound(m) && m.Role() != dissect.RoleNone {
		geometry(c, say, m)
	}
}

func rpc020(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	list, _ := readingOf(c).eligibleResults(c, r)
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
}

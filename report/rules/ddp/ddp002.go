package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp002() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-002", Title: "Write chunk without an eligible result",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A call offers a Write chunk although none of its results may be placed directly, or a responder used " +
			"a Write chunk for a result that may not.",
		Why: "An offer that nobody can use costs a registration and an invalidation, and some responders answer it with " +
			"ERR_CHUNK. What a responder did place into such a chunk the requester cannot put back into the reply.",
		Advice: "Let the requester offer Write chunks only for READ, READLINK and READ_PLUS, one for each. Of a responder " +
			"that used one for something else, look at how it finds the item that a chunk is for.",
		Reference: "RFC 8166, sections 3.4.2 and 4.3.2; RFC 8267, sections 4 and 6.1",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "Silent for programs without any eligible item (ULB-008 and ULB-009 judge those), and where an operation of the call " +
			"cannot be decoded. A chunk beyond those that the operations can use is case b only when it comes back with a length.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a Write chunk is offered, and no result is eligible", Severity: rules.Warning},
			{Letter: "b", Title: "a Write chunk comes back used, and no eligible result belongs to it", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc002)},
		Fires: []rules.Sample{
			{Name: "a GETATTR with a Write chunk", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				    write 0x2001 4096
				    want DDP-002a write1.1
				reply 1
				disconnect`},
			{Name: "a READDIR in a COMPOUND goes to a Write chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READDIR{maxcount=4096}]
				    write 0x2001 4096
				    want DDP-002a write1.1
				reply 1 [SEQUENCE PUTFH READDIR]
				    fill 1 40+8
				    want DDP-002b write1.1.length
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a READ with a Write chunk, which fails", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 NFS3ERR_IO
				    unused
				disconnect`},
			{Name: "an empty Write chunk offers nothing", Scene: `
				connect
				call 1 NFS3 GETATTR object="fh"
				    write empty
				reply 1
				disconnect`},
			{Name: "the one READ went to the second chunk, which is ULB-001's", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=4096}]
				    write 0x2001 4096
				    write 0x2002 4096
				reply 1 [SEQUENCE PUTFH READ{data=bytes(4096)}]
				    fill 1 none
				    fill 2 item 1
				    want ULB-001
				disconnect`},
			{Name: "a READ_PLUS", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ_PLUS{rpa_count=4096}]
				    write 0x2001 4096
				reply 1 [SEQUENCE PUTFH READ_PLUS{rpr_contents=[NFS4_CONTENT_DATA{d_data=bytes(4096)}] rpr_eof=TRUE}]
				disconnect`},
		},
	}
}

func rpc002(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingOf(c)
	if r.Call == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	list, ok := s.eligibleResults(c, r)
	if !ok {
		return
	}
	h := &r.Call.Header
	for i := 0; i < len(h.Writes) && len(list) == 0; i++ {
		room := h.ChunkLength(h.Writes[i])
		if room == 0 {
			continue
		}
		if f := say.Part("a", r, r.Call, ""); f != nil {
			f.Sayf("the %s offers a Write chunk of %d octets to a call that has no eligible result", c.Sender(r.Requester), room)
			f.See("octets offered", room, 0)
			markWrite(f, r.Call, i)
		}
		break
	}
	if m := r.Reply; c.Sound(m) && m.HasRPC && !s.judge.Resent(r) && !m.ReplyHeader.Denied && m.ReplyHeader.Accept == rpc.Success {
		h, b := &m.Header, s.reply(c, r)
		for i := len(list); i < len(h.Writes); i++ {
			used := h.ChunkLength(h.Writes[i])
			if used == 0 || b != nil && chunkItem(b, i) != nil {
				continue // unused, or used in place of one before it (ULB-001)
			}
			if f := say.Part("b", r, m, ""); f != nil {
				f.Sayf("the %s returned %d octets in %s, and %d results of the call are eligible", c.Sender(m.From), used, rpcrdma.WriteChunkName(i), len(list))
				f.See("octets returned", used, 0).See("eligible results", len(list), nil)
				markWriteLengths(f, m, i)
			}
			break
		}
	}
}

package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp007() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-007", Title: "Read chunk length differs from the item",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The segments of a Read chunk together have neither as many octets as the length word of the item " +
			"says, nor that many rounded up to a multiple of 4. A chunk holds one item, and all of it.",
		Why: "A responder that reads the chunk gets too few octets for the item, or octets that belong to what follows: " +
			"it stores wrong data or cannot decode the rest of the arguments.",
		Advice: "Register the data of one item for one chunk, whole, and sum up the lengths of its segments. An item in " +
			"several pieces of memory takes several segments of the same Position.",
		Reference: "RFC 8166, sections 3.4.4 and 3.4.5",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "Silent if what is inline cannot be decoded up to the item. A count beside the data that differs from their length is " +
			"a matter of NFS.",
		Cases: []rules.Case{
			{Letter: "b", Title: "the chunk is longer than the item: it holds more than one, or octets of nothing", Severity: rules.Error},
			{Letter: "c", Title: "the chunk is shorter than the item, the rest of which is in another chunk, inline or lost", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithReads, rpc007)},
		Fires: []rules.Sample{
			{Name: "a chunk of a whole page for 3000 octets", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 4096
				    want DDP-007b read1.length
				reply 1 count=3000
				disconnect`},
			{Name: "a chunk of 2048 octets for 3000", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} GETATTR{attr_request=[SIZE]}]
				    read 0x1001 2048
				    want DDP-007c read1.length
				reply 1
				disconnect`},
			{Name: "one item in two chunks", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)}]
				    read 0x1001 2000
				    read 0x1002 1000 at +2000
				    want DDP-007c read1.length
				reply 1 GARBAGE_ARGS
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "two segments have the item together", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 2000 0x1002 1000
				reply 1 count=3000
				disconnect`},
			{Name: "the pad is a segment of its own", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3001 data=bytes(3001)
				    read 0x1001 3001 0x1002 3
				    want DDP-008
				reply 1 count=3001
				disconnect`},
		},
	}
}

func rpc007(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingOf(c)
	b, d := s.ailing(c, r, mismatched)
	if b == nil {
		return
	}
	if f := say.Part(d.letter, r, r.Call, ""); f != nil {
		chunk := b.Reduced.Reads[d.chunk]
		f.Sayf("the %s's Read chunk at Position %d has %d octets, the %s %d", c.Sender(r.Requester), chunk.Position, chunk.Length, d.what, d.expected)
		f.See("length", chunk.Length, d.expected).See("position", chunk.Position, nil)
		markLengths(f, r.Call, chunk.Position)
	}
}

package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp005() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-005", Title: "Bad Position value",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The Position of a Read chunk is not the octet of the unreduced RPC message at which the data of an " +
			"eligible item begin.",
		Why: "The responder puts the data back where the Position says. If that is wrong the arguments cannot be decoded, " +
			"or worse, can.",
		Advice: "Compute the Position on the whole XDR stream, from the xid of the RPC message as octet 0, with the data " +
			"and pads of all earlier chunks counted in and the transport header left out.",
		Reference: "RFC 8166, section 3.4.5; RFC 4506, section 3",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "Calls with more than 256 Read chunks are not judged. What the right Position is follows from the arguments, of which " +
			"all must fit to the last octet with it. Silent if what is inline cannot be decoded up to the Position.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the Position is no multiple of 4", Severity: rules.Error},
			{Letter: "b", Title: "the Position lies behind the message", Severity: rules.Error},
			{Letter: "c", Title: "no eligible item begins at the Position", Severity: rules.Error},
			{Letter: "d", Title: "the Position counts octets of the reduced message", Severity: rules.Error,
				Advice: "Add the octets of all earlier chunks, and their pads, to the Position: it counts in the message " +
					"as it was before anything was taken out."},
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithReads, rpc005)},
		Fires: []rules.Sample{
			{Name: "a Position that is not aligned", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000 at +2
				    want DDP-005a read1.position
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "a Position behind the message", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000 at +40000
				    want DDP-005b read1.position
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "the Position is that of the length word", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} GETATTR{attr_request=[SIZE]}]
				    read 0x1001 3000 at -4
				    want DDP-005c read1.position
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "the second of two WRITEs counts without the first one's data", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} WRITE{offset=3000 data=bytes(2000)}]
				    read 0x1001 3000
				    read 0x1002 2000 at item 2 -3000
				    want DDP-005d read2.position
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "the second Position of a call of version 2 is that in the reduced message", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} WRITE{data=bytes(2000)}]
				    read 0x1001 3000
				    read 0x1002 2000 at item 2 -3000
				    want DDP-005d read2.position
				reply 2 GARBAGE_ARGS
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "two WRITEs, with their right Positions", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3001)} WRITE{offset=3001 data=bytes(2000)}]
				    read 0x1001 3001
				    read 0x1002 2000
				reply 1
				disconnect`},
			{Name: "the second WRITE alone is reduced", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(30)} WRITE{offset=30 data=bytes(2000)}]
				    read 0x1002 2000 at item 2
				reply 1
				disconnect`},
			{Name: "octets behind the Position-Zero Read chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} LOOKUP{objname=text(800)}]
				    long 0x1001 8192
				    read 0x1002 3000
				reply 1
				disconnect`},
		},
	}
}

func rpc005(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingOf(c)
	b, d := s.ailing(c, r, misplaced)
	if b == nil {
		return
	}
	position := b.Reduced.Reads[d.chunk].Position
	if int64(position) < int64(b.Start) && r.Call.CallHeader.Cred.Flavor == rpc.RPCSECGSS {
		return // DDP-004b
	}
	f := say.Part(d.letter, r, r.Call, "")
	if f == nil {
		return
	}
	sender := c.Sender(r.Requester)
	switch d.letter {
	case "a":
		f.Sayf("the Position %d of a Read chunk of the %s is no multiple of 4", position, sender)
		f.See("position", position, "a multiple of 4")
	case "b":
		f.Sayf("the Position %d of a Read chunk of the %s lies behind the RPC message", position, sender)
		f.See("position", position, d.right())
	case "d":
		f.Sayf("the Position %d of a Read chunk of the %s is counted in the reduced message: %s begins at %d, and %d octets were taken out before it",
			position, sender, d.what, d.expected, d.expected-uint64(position))
		f.See("position", position, d.expected)
	default:
		f.Sayf("no eligible item begins at the Position %d of a Read chunk of the %s", position, sender)
		f.See("position", position, d.right())
	}
	markPosition(f, r.Call, position)
}

// right is the Position that would be right, for a person; nil if that is not known.
func (d *diagnosis) right() any {
	switch {
	case d.expected == 0:
		return nil
	case d.what == "":
		return "below " + decimal(d.expected)
	}
	return d.expected
}

package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ddp009() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-009", Title: "Inline stream wrong after reduction",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "What is left inline of a message after its sender took items out is not what it must be: the data of " +
			"the item and their pad leave, all else stays, and the next item follows at once.",
		Why: "The receiver decodes the octets behind the item at the wrong place. At best it reports that it cannot " +
			"decode the message; at worst it takes other octets for numbers and handles.",
		Advice: "Look at how the sender joins what is before and behind the item. The length word stays inline; exactly " +
			"the data and the octets that round them up to a multiple of 4 are taken out.",
		Reference: "RFC 8166, section 3.4.4; RFC 4506, sections 3 and 4.10",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "Said only if the message fits to the last octet with one change at the item. Silent for programs that nothing " +
			"describes.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the length word of the item is not inline", Severity: rules.Error},
			{Letter: "b", Title: "the discriminant of the union went into the chunk", Severity: rules.Error},
			{Letter: "c", Title: "the pad, or the data themselves, are still inline", Severity: rules.Error},
			{Letter: "d", Title: "the next item does not begin at a multiple of 4", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithReads|rules.WithWrites, rpc009)},
		Fires: []rules.Sample{
			{Name: "the length word is in the chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} GETATTR{attr_request=[SIZE]}]
				    read 0x1001 3004 at item 1 -4
				    reduce item 1
				    delete 212
				    want DDP-009a 212+4
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "the length word of a READ's data is missing", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=3000
				    write 0x2001 3000
				reply 1 count=3000 data=bytes(3000) eof=true
				    delete -4
				    want DDP-009a
				disconnect`},
			{Name: "type and length of a link's text are in the chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} CREATE{linkdata=text(900) objname="l"}]
				    read 0x1001 908 at item 1 -8
				    reduce item 1
				    delete 184+8
				    want DDP-009b
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "the pad stays inline", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3001)} GETATTR{attr_request=[SIZE]}]
				    read 0x1001 3001
				    keep pad
				    want DDP-009c
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "the pad of a READ's data stays inline", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=3001} GETATTR{attr_request=[SIZE]}]
				    write 0x2001 3001
				reply 1 [SEQUENCE PUTFH READ{data=bytes(3001)} GETATTR{obj_attributes={size=3001}}]
				    keep pad
				    want DDP-009c
				disconnect`},
			{Name: "two octets too many were taken out", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} GETATTR{attr_request=[SIZE]}]
				    read 0x1001 3000
				    delete 216+2
				    want DDP-009d
				reply 1 GARBAGE_ARGS
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an item of 3001 octets, taken out with its pad", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3001)} GETATTR{attr_request=[SIZE]}]
				    read 0x1001 3001
				reply 1
				disconnect`},
			{Name: "a READ of 3001 octets", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=3001} GETATTR{attr_request=[SIZE]}]
				    write 0x2001 3001
				reply 1 [SEQUENCE PUTFH READ{data=bytes(3001)} GETATTR{obj_attributes={size=3001}}]
				disconnect`},
		},
	}
}

func rpc009(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingOf(c)
	if b, d := s.ailing(c, r, torn); b != nil {
		tell009(c, say, r, r.Call, b, d)
	}
	if m := r.Reply; m != nil && len(m.Header.Writes) > 0 {
		b := s.reply(c, r)
		if b == nil || values.Explained(b) || !used(b) || len(b.Reduced.Writes) > mostChunks {
			return
		}
		if d, ok := s.guess.result(b); ok {
			tell009(c, say, r, m, b, &d)
		}
	}
}

func tell009(c *rules.Conn, say rules.Say, r *dissect.RPC, m *dissect.Message, b *dissect.Body, d *diagnosis) {
	f := say.Part(d.letter, r, m, "")
	if f == nil {
		return
	}
	sender := c.Sender(m.From)
	switch {
	case d.letter == "a":
		f.Sayf("the length word of %s is not inline in what the %s sent", d.what, sender)
		f.See("length word", "not inline", d.expected)
	case d.letter == "b":
		f.Sayf("the discriminant %d and the length word before %s are in the %s's chunk", d.expected, d.what, sender)
		f.See("discriminant", "not inline", d.expected)
	case d.length > 0:
		f.Sayf("%d octets too many stand inline where the %s took out %s", d.length, sender, d.what)
		f.See("octets left inline", d.length, 0)
	default:
		f.Sayf("%d octets are missing inline where the %s took out %s", d.expected, sender, d.what)
		f.See("octets missing", d.expected, 0)
	}
	f.Body(m, b, d.at, min(max(d.length, xdr.WordSize), mostMarked))
}

// used reports whether a Write chunk came back with a length.
func used(b *dissect.Body) bool {
	for _, n := range b.Reduced.Writes {
		if n > 0 {
			return true
		}
	}
	return false
}

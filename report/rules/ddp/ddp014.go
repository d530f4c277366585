package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func ddp014() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-014", Title: "RDMA access outside the advertised segment",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An RDMA Read or Write names a handle that a call advertised, but octets that lie before or behind the " +
			"segment.",
		Why: "If the memory behind the segment is registered with the same handle, the requester's memory is overwritten " +
			"or disclosed; else its adapter refuses the access and ends the connection.",
		Advice: "Look at how the responder computes offsets in a chunk of several segments, and at whether it knew that " +
			"the result is longer than what was offered.",
		Reference: "RFC 8166, sections 3.4.1 and 8.1",
		Gates:     rules.Gates{rules.LikelyIf(rules.BeganLate, rules.LostSince, rules.Unheard.From(rules.Requester))},
		Limits: "A handle may be advertised with several ranges: one that fits is enough, and so are neighbouring ones together. " +
			"Operations without octets touch nothing. Where it is only likely, an operation that has no octet of the segment is " +
			"left out.",
		Causes: []string{"DDP-020a"},
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{memory.OnOffence(memory.Outside, offence014)},
		Fires: []rules.Sample{
			{Name: "an RDMA Write runs over the end of its segment", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write server 0x2001 4100
				    want DDP-014
				reply 1 data=bytes(4096) eof=true
				disconnect`},
			{Name: "an RDMA Read begins before its segment", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000@0x10000
				    nopull
				rdma read server 0x1001 3000@0xfffc
				    want DDP-014
				rdma read server 0x1001 3000@0x10000
				reply 1 count=3000
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the last octet of the segment", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write server 0x2001 1@0x200100fff
				reply 1 data=bytes(4096) eof=true
				disconnect`},
			{Name: "one handle with two ranges", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 2048@0x1000 0x2001 2048@0x1800
				rdma write server 0x2001 4096@0x1000
				reply 1 data=bytes(4096) eof=true
				disconnect`},
			{Name: "an RDMA Write without octets", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write server 0x2001 0@0x10
				reply 1 data=bytes(4096) eof=true
				disconnect`},
		},
	}
}

func offence014(c *rules.Conn, o *memory.Offence, say rules.Say) {
	f := o.Say(say, "")
	if f == nil {
		return
	}
	g := &o.Grant
	f.Sayf("the %s %s %s, of which a call advertised %s (%s)", c.Sender(o.From), o.Verb(), o.Span(),
		memory.OctetsAt(g.Handle, g.Offset, uint64(g.Length)), purpose(g.Purpose))
	end, most := o.Offset+uint64(o.Length), g.Offset+uint64(g.Length)
	if o.Offset < g.Offset || o.Offset > most {
		f.See("offset", rules.Offset(o.Offset), "at least "+rules.Offset(g.Offset))
	}
	if end > most {
		f.See("end", rules.Offset(end), "at most "+rules.Offset(most))
	}
}

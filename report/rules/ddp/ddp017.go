package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func ddp017() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-017", Title: "Wrong access direction",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An RDMA Write goes to a segment of a Read list, or an RDMA Read takes from a segment of a Write list " +
			"or a Reply chunk.",
		Why: "The requester registers the memory of each list for one direction only. Its adapter refuses the access and " +
			"the connection ends; where it does not, the arguments of a call are overwritten.",
		Advice:    "Look at which of the chunks of a call the responder uses for arguments and which for results.",
		Reference: "RFC 8166, sections 3.4.5 and 3.4.6",
		Gates:     rules.Gates{rules.LikelyIf(rules.BeganLate, rules.LostSince, rules.Unheard.From(rules.Requester))},
		Limits:    "Silent where a range of the handle for the right direction was advertised too.",
		Needs:     []rules.Knowledge{memory.JudgeKnowledge()},
		On:        []rules.Event{memory.OnOffence(memory.Direction, offence017)},
		Fires: []rules.Sample{
			{Name: "a result is written to a Read list", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000
				rdma write server 0x1001 100
				    want DDP-017
				reply 1 count=3000
				disconnect`},
			{Name: "a Write list is read", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma read server 0x2001 4096
				    want DDP-017
				reply 1 data=bytes(4096) eof=true
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "one handle in both lists", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} READ{count=3000}]
				    read 0x1001 3000@0x10000
				    write 0x1001 3000@0x10000
				reply 1 [SEQUENCE PUTFH WRITE READ{data=bytes(3000)}]
				disconnect`},
		},
	}
}

func offence017(c *rules.Conn, o *memory.Offence, say rules.Say) {
	f := o.Say(say, "")
	if f == nil {
		return
	}
	right := "RDMA Read"
	if o.Kind == dissect.AccessRead {
		right = "RDMA Write"
	}
	f.Sayf("the %s %s %s, which a call advertised in its %s", c.Sender(o.From), o.Verb(), o.Span(), purpose(o.Grant.Purpose))
	f.See("operation", o.Kind.String(), right).See("handle", rules.Handle(o.Handle), nil)
}

package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func ddp019() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-019", Title: "Transfer driven by the requester",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The end that sends the calls issues RDMA Reads or Writes. In RPC-over-RDMA only the responder moves " +
			"data, to and from memory that the requester advertised.",
		Why: "Memory of the server is open to its clients then, and the server cannot know when they are done with it. " +
			"No peer of today supports such transfers.",
		Advice: "Find out what the requester is: a very old one may use the retired Read-Read model, in which replies " +
			"advertise memory and RDMA_DONE ends the transfer.",
		Reference: "RFC 8166, sections 3.1 and 4.6.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Receiver)),
			rules.DetailIf(rules.BeganLate, rules.LostSince, rules.Lossy, rules.Disordered),
		},
		Limits: "Said of an end whose own memory has the handle, and of the client where the server advertised none in calls of its " +
			"own. Silent in the first 30 seconds of a connection whose beginning was not captured, and for 30 seconds after a hole " +
			"in the capture. Where no message of the receiver follows it is likely only if that refuses the access. Replies that " +
			"advertise memory are HDR-009's, RDMA_DONE is HDR-011's.",
		Causes: []string{"HDR-009"},
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{memory.OnOffence(memory.Never, never019), memory.OnOffence(memory.OwnMemory, tell019)},
		Fires: []rules.Sample{
			{Name: "the client reads from the server", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				reply 1 data=bytes(100) eof=true
				rdma read client 0x5001 4096
				    want DDP-019
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the client reads from the server in version 2", Scene: `
				connect version=2
				call 1 NFS3 READ file="fh" count=4096
				reply 1 data=bytes(100) eof=true
				rdma read client 0x5001 4096
				    want DDP-019
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the client writes with a handle of its own", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write client 0x2001 4096
				    want DDP-019
				reply 1 data=bytes(4096) eof=true
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the client answers a call of the server that has a Reply chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_back_chan_attrs={maxrequestsize=65536 maxresponsesize=65536}}]
				callback 2 CB_COMPOUND [CB_SEQUENCE{sessionid="0123456789abcdef"} CB_RECALL{fh="fh"}]
				    replychunk 0x5001 4096
				reply 2
				disconnect`},
			{Name: "the call of the server that has a Reply chunk is missing from the capture", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_back_chan_attrs={maxrequestsize=65536 maxresponsesize=65536}}]
				callback 2 CB_COMPOUND [CB_SEQUENCE{sessionid="0123456789abcdef"} CB_RECALL{fh="fh"}]
				    replychunk 0x5001 4096
				    drop
				reply 2
				disconnect`},
			{Name: "an RDMA Read without octets begins the connection", Over: rules.IWARP, Scene: `
				connect
				    mpa rtr=read
				call 1 NFS3 NULL
				reply 1
				disconnect`},
		},
	}
}

func never019(c *rules.Conn, o *memory.Offence, say rules.Say) {
	if memory.JudgeOf(c).Driven(o) {
		tell019(c, o, say)
	}
}

func tell019(c *rules.Conn, o *memory.Offence, say rules.Say) {
	f := o.Say(say, "")
	if f == nil {
		return
	}
	f.Sayf("the %s, whose calls these are, %s %s", c.Sender(o.From), o.Verb(), o.Span())
	f.See("operation", o.Kind.String(), nil).See("handle", rules.Handle(o.Handle), nil)
}

package ddp

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func ddp016() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-016", Title: "RDMA access after the transaction ended",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An RDMA Read or Write uses memory that a call advertised, after the responder sent the reply or the " +
			"RDMA_ERROR for that call, or a Send With Invalidate of the handle.",
		Why: "With the reply the memory is the requester's again, who may have freed it or given it to another RPC. The " +
			"access then changes or discloses what does not belong to the transaction, or ends the connection.",
		Advice: "Let the responder finish all RDMA Reads before it executes the call, and post the RDMA Writes of a reply " +
			"before its Send.",
		Reference: "RFC 8166, sections 3.4.5, 4.4.1 and 8.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.LostSince).Since("the reply"),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Requester)),
			rules.DetailIf(rules.Disordered),
		},
		Limits: "The memory may have been advertised anew in what is missing. Where no message of the requester follows it is likely " +
			"only if the requester refuses the access. Segments of at most 4 octets are left out: Linux clients advertise the same " +
			"one for the pad in call after call. Responses to an RDMA Read that was requested in time may come late.",
		Causes: []string{"INV-002", "INV-003b", "INV-003a", "RPC-002"},
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{memory.OnOffence(memory.TooLate, offence016)},
		Fires: []rules.Sample{
			{Name: "the data come after the reply", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(4096) eof=true
				rdma write server 0x2001 4096
				    want DDP-016
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "an RDMA Read after an RDMA_ERROR", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000
				    nopull
				error 1 ERR_CHUNK
				rdma read server 0x1001 3000
				    want DDP-016
				call 2 NFS3 NULL
				reply 2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the next call advertises the memory again", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(4096) eof=true
				call 2 NFS3 READ file="fh" offset=4096 count=4096
				    write 0x2001 4096
				reply 2 data=bytes(4096) eof=true
				disconnect`},
			{Name: "the pad that every call advertises", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4093
				    write 0x2001 4093 0x2fff 4
				    want DDP-010
				reply 1 data=bytes(4093) eof=true
				rdma write server 0x2fff 3
				disconnect`},
			{Name: "the capture ends before a call shows to be missing that advertises it again", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=100
				    write 0x2001 100
				reply 1 data=bytes(100) eof=true
				call 2 NFS3 READ file="fh" offset=100 count=100
				    write 0x2001 100
				    drop
				rdma write server 0x2001 100`},
			{Name: "the call that advertises it is captured behind the access", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=100
				    write 0x2001 100
				reply 1 data=bytes(100) eof=true
				call 2 NFS3 READ file="fh" offset=100 count=100
				    write 0x2001 100
				    noack
				    late 1
				reply 2 data=bytes(100) eof=true
				disconnect`},
		},
	}
}

// padSize is how many octets a segment has at most that is there for a pad.
const padSize = 4

func offence016(c *rules.Conn, o *memory.Offence, say rules.Say) {
	g := &o.Grant
	if g.Length <= padSize {
		return
	}
	f := o.Say(say, "")
	if f == nil {
		return
	}
	gap := rules.Duration(o.Time - g.Until)
	f.Sayf("the %s %s %s, %v after %s in frame %s ended what the call in frame %s advertised",
		c.Sender(o.From), o.Verb(), o.Span(), gap, g.Over, c.Capture.FrameName(g.By), c.Capture.FrameName(g.Call))
	f.See("time since the end", gap, nil).See("handle", rules.Handle(o.Handle), nil)
	f.With(g.By)
}

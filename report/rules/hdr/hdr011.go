package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr011() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-011", Title: "Retired procedure used",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A message is an RDMA_MSGP or an RDMA_DONE. RFC 5666 had both; RFC 8166 keeps their numbers so that a " +
			"receiver can tell them, and forbids to send them.",
		Why: "A responder answers an RDMA_MSGP with ERR_CHUNK, and a requester drops it: the RPC is lost. An RDMA_DONE is " +
			"dropped, and so only takes a receive buffer that no credit accounts for.",
		Advice: "Update the sender to RFC 8166, or turn off what makes it use them: padding of inline data for RDMA_MSGP, " +
			"results in Read chunks for RDMA_DONE.",
		Reference: "RFC 8166, sections 4.6.1 and 4.6.2",
		Gates:     rules.Gates{rules.DetailIf(rules.BeganLate)},
		Limits: "Only a warning where all that the sender did so far fits RFC 5666, which allowed both until 2017: it sent no " +
			"private data of RFC 8797, no Send With Invalidate and no reverse call or reply to one, and an RDMA_DONE follows a reply " +
			"with a Read list or is from before the capture began. Version 2 has neither: V2-007 notes such numbers there.",
		Cases: []rules.Case{
			{Letter: "a", Title: "RDMA_MSGP", Severity: rules.Error},
			{Letter: "b", Title: "RDMA_DONE", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.Invalidating|rules.Backward|rules.WithReads|rules.OtherProcedure, message011)},
		Fires: []rules.Sample{
			{Name: "a client that knows RFC 8797 pads its data", Scene: `
				connect
				call 1 NFS3 WRITE count=1000 data=bytes(1000)
				    proc MSGP
				    want HDR-011a 12+4
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a client without private data pads its data", Scene: `
				connect client=none
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE count=1000 data=bytes(1000)
				    proc MSGP
				    want HDR-011a 12+4
				error 2 ERR_CHUNK
				disconnect`},
			{Name: "a client that answers reverse calls pads its data", Scene: `
				connect client=none server=none
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 7 CB_NULL
				reply 7
				call 2 NFS3 WRITE count=800 data=bytes(800)
				    proc MSGP
				    want HDR-011a 12+4
				error 2 ERR_CHUNK
				disconnect`},
			{Name: "an old client says that it is done, but had nothing to read", Scene: `
				connect client=none server=none
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 NULL
				    proc DONE
				    payload none
				    want HDR-011b 12+4
				disconnect`},
			{Name: "an old client is done with what it read", Scene: `
				connect client=none server=none
				call 1 NFS3 READ count=100
				reply 1 count=100 data=bytes(100)
				    read 0x2001 100 at item 1
				    want HDR-009
				call 2 NFS3 NULL
				    proc DONE
				    payload none
				    want HDR-011b 12+4
				disconnect`},
			{Name: "a client says that it is done, but had nothing to read", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 NULL
				    proc DONE
				    payload none
				    want HDR-011b 12+4
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the same data in an RDMA_MSG", Scene: `
				connect
				call 1 NFS3 WRITE count=1000 data=bytes(1000)
				reply 1 count=1000
				disconnect`},
		},
	}
}

func message011(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h, k := &m.Header, of(c)
	if m.HasInvalidated || m.Answer == (m.From == c.ClientEnd) && m.Role() != dissect.RoleNone && c.RolesKnown {
		k.modern[m.From] = true // a reverse call, or the answer to one
	}
	if h.Proc <= rpcrdma.RDMANoMsg || h.Proc > rpcrdma.RDMADone {
		if len(h.Reads) > 0 && m.Answer {
			k.offered[m.From] = true
		}
		return
	}
	if h.Version != rpcrdma.Version1 || !fixed(m) {
		return
	}
	letter, old := "a", !k.modern[m.From] && privateData(c, m.From) == nil
	if h.Proc == rpcrdma.RDMADone {
		letter, old = "b", old && (k.offered[m.From.Peer()] || c.BeganLate())
	}
	s := say
	if old {
		s = say.As(rules.Warning)
	}
	if f := s.Message(letter, m, ""); f != nil {
		f.Sayf("the %s sent an %s, which RFC 8166 retired", c.Sender(m.From), h.Proc)
		f.See("rdma_proc", h.Proc.String(), "RDMA_MSG, RDMA_NOMSG or RDMA_ERROR").Word(m, rpcrdma.AtProc)
	}
}

// privateData is what an end said of RFC 8797, nil if it said nothing.
func privateData(c *rules.Conn, e flow.End) *rpcrdma.PrivateData {
	if e == c.ClientEnd {
		return c.ClientPrivate
	}
	return c.ServerPrivate
}

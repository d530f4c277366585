package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// leastRPC is how many octets of an RPC message tell what it is: XID and msg_type.
const leastRPC = 2 * xdr.WordSize

func hdr005() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-005", Title: "Payload presence contradicts procedure",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An RDMA_MSG has no RPC message behind its header, or an RDMA_NOMSG or RDMA_ERROR has octets where " +
			"nothing may stand.",
		Why: "The procedure tells the receiver where to look for the RPC message. If it is not there, the receiver parses " +
			"something else, or takes the message of a chunk and ignores the one in the Send.",
		Advice: "Look at the length that the sender posts: it usually counts a buffer that does not belong to the message, " +
			"or leaves out the one that does.",
		Reference: "RFC 8166, section 4.2.4",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut)},
		Limits: "Up to three zero octets behind an RDMA_NOMSG or RDMA_ERROR are only a warning: the sender rounded its length up. " +
			"Whole words that go on like a list are HDR-003e's. Of version 2 V2-004 tells.",
		Cases: []rules.Case{
			{Letter: "a", Title: "an RDMA_MSG without an RPC message", Severity: rules.Error},
			{Letter: "b", Title: "octets behind the lists of an RDMA_NOMSG", Severity: rules.Error},
			{Letter: "c", Title: "octets behind an RDMA_ERROR", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.OtherXID|rules.WithoutInline|rules.OtherProcedure, message005)},
		Fires: []rules.Sample{
			{Name: "an RDMA_MSG ends with its header", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    payload none
				    want HDR-005a
				disconnect`},
			{Name: "the call is inline and in the Position-Zero Read chunk", Scene: `
				connect
				call 1 NFS3 NULL
				    xid 1
				    long 0x1001 40
				    append hex(00000001 00000000 00000002 000186a3 00000003 00000000)
				    want HDR-005b
				reply 1
				disconnect`},
			{Name: "a length rounded up", Scene: `
				connect
				call 1 NFS3 NULL
				    long 0x1001 40
				    append hex(0000)
				    want HDR-005b
				reply 1
				disconnect`},
			{Name: "a length that is wrong by three", Scene: `
				connect
				call 1 NFS3 NULL
				    long 0x1001 40
				    append hex(010203)
				    want HDR-005b -3+3
				reply 1
				disconnect`},
			{Name: "an ERR_CHUNK with more codes behind it", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				    append hex(00000016 0000001c)
				    want HDR-005c 20+8
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the shortest reply there is, reduced to its header", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				disconnect`},
			{Name: "an RDMA_NOMSG that ends with its lists", Scene: `
				connect
				call 1 NFS3 GETATTR
				    long 0x1001 200
				    replychunk 0x1002 4096
				reply 1
				disconnect`},
		},
	}
}

func message005(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	n := m.Length - h.Length
	switch {
	case h.Fault.Bad() || c.Cut(m) || !first(m):
	case h.Proc == rpcrdma.RDMAMsg && n < leastRPC:
		if f := say.Message("a", m, ""); f != nil {
			f.Sayf("the %s's RDMA_MSG has %d octets behind its header, which are no RPC message", c.Sender(m.From), n)
			f.See("octets behind the header", n, "at least 8").In(m, 0, m.Length)
		}
	case n > 0 && alone(h.Proc):
		behind(c, say, m, n)
	}
}

// behind tells of octets behind a header that must stand alone.
func behind(c *rules.Conn, say rules.Say, m *dissect.Message, n int) {
	kind := leftover(c, m)
	if kind == listWords {
		return
	}
	letter := "b"
	if m.Header.Proc == rpcrdma.RDMAError {
		letter = "c"
	}
	if kind == padding {
		say = say.As(rules.Warning)
	}
	if f := say.Message(letter, m, ""); f != nil {
		f.Sayf("the %s's %s has %d octets behind its header", c.Sender(m.From), m.Header.Proc, n)
		f.See("octets behind the header", n, 0).In(m, m.Header.Length, n)
	}
}

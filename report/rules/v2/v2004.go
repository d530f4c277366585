package v2

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2004() *rules.Rule {
	return &rules.Rule{
		ID: "V2-004", Title: "Payload presence",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "An RDMA2_MSG has no RPC message behind its header, or something stands behind an RDMA2_NOMSG, an RDMA2_ERROR or an operation " +
			"of transport characteristics, which have to stand alone.",
		Why: "The procedure tells the receiver whether an RPC message follows. One that is not there cannot be decoded, and one that must not be " +
			"there is dropped with whatever it asks for.",
		Advice: "Look at the length that the sender posts: it usually counts a buffer that does not belong to the message, or leaves out the one " +
			"that does.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2.1; draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 4; RFC 8166, section 4.2.4",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut)},
		Limits: "Up to three zero octets behind a header are only a warning: the sender rounded its length up. An RDMA2_OPTIONAL of an " +
			"unknown type may carry a payload, or a part of one.",
		Cases: []rules.Case{
			{Letter: "a", Title: "an RDMA2_MSG without an RPC message", Severity: rules.Error},
			{Letter: "b", Title: "octets behind an RDMA2_ERROR", Severity: rules.Error},
			{Letter: "c", Title: "octets behind the lists of an RDMA2_NOMSG", Severity: rules.Error},
			{Letter: "d", Title: "octets behind an operation of transport characteristics", Severity: rules.Error},
		},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message004)},
		Fires: []rules.Sample{
			{Name: "a call without an RPC message", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    payload none
				    want V2-004a
				error 2 BAD_XDR
				disconnect`},
			{Name: "an RPC message behind an error", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				error 2 CANT_REPLY FALSE 0 0
				    append hex(00001002 00000001 00000000 00000000 00000000 00000000)
				    want V2-004b 32+24
				disconnect`},
			{Name: "an RPC message behind the lists of a long call", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    long 0x1001 all
				    append hex(00001002 00000000 00000002 000186a3 00000003 00000000)
				    want V2-004c -24+24
				reply 2
				disconnect`},
			{Name: "a call behind a REQ_XCHAR", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				optional 1 server INIT_XCHAR [RBSIZ=8192]
				call 2 NFS3 NULL
				    optional REQ_XCHAR [RBSIZ=9216]
				    want V2-004d rpc
				optional 2 server RESP_XCHAR done=[0]
				disconnect`},
			{Name: "two zeros behind an error", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				error 2 CANT_REPLY FALSE 0 0
				    append zeros(2)
				    want V2-004b -2+2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "each with what it may have", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				optional 1 server INIT_XCHAR [RBSIZ=8192]
				call 2 NFS3 NULL
				reply 2
				call 3 NFS3 WRITE data=bytes(3000) count=3000
				    long 0x1001 all
				    replychunk 0x1002 4096
				reply 3 count=3000
				call 4 NFS3 GETATTR
				error 4 CANT_REPLY FALSE 0 0
				disconnect`},
			{Name: "a part of an RPC message behind an option that nobody knows", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				optional 2 client 77 bytes(4)
				    payload hex(00001002 00000000 00000002)
				error 2 INVAL_OPTION
				disconnect`},
		},
	}
}

func message004(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if !sound(c, m) {
		return
	}
	h := &m.Header
	n := m.Length - h.Length
	switch {
	case h.Proc == rpcrdma.RDMAMsg:
		if n < leastRPC {
			empty(c, say, m, n)
		}
	case n <= 0:
	case h.Proc == rpcrdma.RDMAError:
		behind(c, say, m, "b")
	case h.Proc == rpcrdma.RDMANoMsg:
		behind(c, say, m, "c")
	case h.Option() != nil && h.Option().Known():
		behind(c, say, m, "d")
	}
}

// empty tells of an RDMA2_MSG that has n octets behind its header.
func empty(c *rules.Conn, say rules.Say, m *dissect.Message, n int) {
	if f := say.Message("a", m, ""); f != nil {
		f.Sayf("the %s's RDMA2_MSG has %d octets behind its header, which are no RPC message", c.Sender(m.From), n)
		f.See("octets behind the header", n, "at least 8").In(m, 0, m.Length)
	}
}

// behind tells of octets behind a header that must stand alone.
func behind(c *rules.Conn, say rules.Say, m *dissect.Message, letter string) {
	n := m.Length - m.Header.Length
	if n < xdr.WordSize && len(bytes.TrimLeft(m.Inline(), "\x00")) == 0 {
		say = say.As(rules.Warning)
	}
	if f := say.Message(letter, m, ""); f != nil {
		name := m.Header.ProcName()
		if o := m.Header.Option(); o != nil {
			name = o.Type.String()
		}
		f.Sayf("the %s's %s has %d octets behind its header", c.Sender(m.From), name, n)
		f.See("octets behind the header", n, 0).In(m, m.Header.Length, n)
	}
}

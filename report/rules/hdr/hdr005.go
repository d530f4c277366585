package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// leastRPC is how many bytes of an RPC message tell what it is: XID and msg_type.
const leastRPC = 2 * xdr.WordSize

func hdr005() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.OtherXID|rules.WithoutInline|rules.OtherProcedure, message005)},
	}
}

func message005(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	n := m.Length - h.Length
	switch {
	case h.Fault.Bad() || c.Cut(m) || !first(m):
	case h.Proc == rpcrdma.RDMAMsg && n < leastRPC:
		if f := report.Message("a", m, ""); f != nil {
			f.Messagef("the %s's RDMA_MSG has %d bytes after its header, too few for an RPC message", c.Sender(m.From), n)
			f.See("bytes after the header", n, "at least 8").In(m, 0, m.Length)
		}
	case n > 0 && alone(h.Proc):
		trailing(c, report, m, n)
	}
}

// trailing reports bytes after a header that must stand alone.
func trailing(c *rules.Conn, report rules.Reporter, m *dissect.Message, n int) {
	kind := leftover(c, m)
	if kind == listWords {
		return
	}
	letter := "b"
	if m.Header.Proc == rpcrdma.RDMAError {
		letter = "c"
	}
	if kind == padding {
		report = report.As(finding.Warning)
	}
	if f := report.Message(letter, m, ""); f != nil {
		f.Messagef("the %s's %s has %d bytes after its header", c.Sender(m.From), m.Header.Proc, n)
		f.See("bytes after the header", n, 0).In(m, m.Header.Length, n)
	}
}

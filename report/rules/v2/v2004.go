package v2

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.Version2,
		On:          []rules.Event{rules.OnMessage(rules.OtherVersion, message004)},
	}
}

func message004(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if !sound(c, m) {
		return
	}
	h := &m.Header
	n := m.Length - h.Length
	switch {
	case h.Proc == rpcrdma.RDMAMsg:
		if n < leastRPC {
			empty(c, report, m, n)
		}
	case n <= 0:
	case h.Proc == rpcrdma.RDMAError:
		trailing(c, report, m, "b")
	case h.Proc == rpcrdma.RDMANoMsg:
		trailing(c, report, m, "c")
	case h.Option() != nil && h.Option().Known():
		trailing(c, report, m, "d")
	}
}

// empty reports an RDMA2_MSG that has n bytes after its header.
func empty(c *rules.Conn, report rules.Reporter, m *dissect.Message, n int) {
	if f := report.Message("a", m, ""); f != nil {
		f.Messagef("the %s's RDMA2_MSG has %d bytes after its header, which are not an RPC message", c.Sender(m.From), n)
		f.See("bytes after the header", n, "at least 8").In(m, 0, m.Length)
	}
}

// trailing reports bytes after a header that must stand alone.
func trailing(c *rules.Conn, report rules.Reporter, m *dissect.Message, letter string) {
	n := m.Length - m.Header.Length
	if n < xdr.WordSize && len(bytes.TrimLeft(m.Inline(), "\x00")) == 0 {
		report = report.As(finding.Warning)
	}
	if f := report.Message(letter, m, ""); f != nil {
		name := m.Header.ProcName()
		if o := m.Header.Option(); o != nil {
			name = o.Type.String()
		}
		f.Messagef("the %s's %s has %d bytes after its header", c.Sender(m.From), name, n)
		f.See("bytes after the header", n, 0).In(m, m.Header.Length, n)
	}
}

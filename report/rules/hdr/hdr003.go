package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut).In("cde")},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.Malformed|rules.WithoutInline|rules.OtherProcedure, message003)},
	}
}

func message003(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	if !h.Fault.Bad() {
		if m.Length > h.Length && first(m) && alone(h.Proc) && leftover(c, m) == listWords {
			if f := report.Message("e", m, ""); f != nil {
				f.Messagef("%d bytes of lists are left over after the %s header from the %s", m.Length-h.Length, h.Proc, c.Sender(m.From))
				f.See("bytes after the header", m.Length-h.Length, 0).In(m, h.Length, m.Length-h.Length)
			}
		}
		return
	}
	letter := illegal(c, m)
	if letter == "" {
		return
	}
	f := report.Message(letter, m, "")
	if f == nil {
		return
	}
	at := h.Fault.Offset
	f.Messagef("the %s's header cannot be decoded: %s", c.Sender(m.From), h.Fault)
	switch v, ok := xdr.WordAt(m.Raw(), at); {
	case letter == "a":
		f.See("rdma_proc", uint32(h.Proc), "0 to 4")
	case letter == "b" && ok:
		f.See("optional-data word", v, "0 or 1")
	case letter == "d" && ok:
		f.See("segment count", v, "no more than the rest of the message holds").See("bytes after the count", m.Length-at-xdr.WordSize, nil)
	}
	f.See("byte", at, nil)
	if letter == "c" {
		// What runs past the end begins with the words before it.
		at = max(min(h.Length, at-xdr.WordSize), 0)
	}
	f.In(m, at, max(xdr.WordSize, h.Fault.Offset-at))
}

// alone reports whether nothing may stand after the header of a procedure.
func alone(p rpcrdma.Proc) bool { return p == rpcrdma.RDMANoMsg || p == rpcrdma.RDMAError }

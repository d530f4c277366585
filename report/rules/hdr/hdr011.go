package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.DetailIf(rules.BeganLate)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.Invalidating|rules.ReverseDirection|rules.WithReads|rules.OtherProcedure, message011)},
	}
}

func message011(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h, k := &m.Header, state.Of(c)
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
	s := report
	if old {
		s = report.As(finding.Warning)
	}
	if f := s.Message(letter, m, ""); f != nil {
		f.Messagef("the %s sent an %s, which RFC 8166 retired", c.Sender(m.From), h.Proc)
		f.See("rdma_proc", h.Proc.String(), "RDMA_MSG, RDMA_NOMSG or RDMA_ERROR").Word(m, rpcrdma.AtProc)
	}
}

// privateData is what an end reported of RFC 8797, nil if it reported nothing.
func privateData(c *rules.Conn, e flow.End) *rpcrdma.PrivateData {
	if e == c.ClientEnd {
		return c.ClientPrivate
	}
	return c.ServerPrivate
}

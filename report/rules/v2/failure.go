package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// contents judges an RDMA2_ERROR by itself.
func contents(c *rules.Conn, report rules.Reporter, m *dissect.Message) {
	h := &m.Header
	switch {
	case h.Fault.Bad() && !h.Cut && h.Fault.Offset == h.ErrorAt():
		if f := report.Message("a", m, ""); f != nil {
			code := uint32(h.Error)
			f.Messagef("the %s sent an RDMA2_ERROR with code %d", c.Sender(m.From), code)
			f.See("rdma_err", code, "1 to 5").Word(m, h.ErrorAt())
		}
	case h.Fault.Bad():
		if f := report.Message("b", m, ""); f != nil {
			f.Messagef("the %s sent an RDMA2_ERROR that cannot be decoded: %s", c.Sender(m.From), m.Malformed())
			f.See("bytes of the message", m.Length, nil)
			if !h.Cut {
				f.Word(m, h.Fault.Offset)
			}
		}
	case h.Error == rpcrdma.ErrVers && h.VersLow > h.VersHigh:
		if f := report.Message("b", m, ""); f != nil {
			f.Messagef("the %s's ERR_VERS has %d as the lowest and %d as the highest version", c.Sender(m.From), h.VersLow, h.VersHigh)
			f.See("rdma_vers_low", h.VersLow, nil).See("rdma_vers_high", h.VersHigh, nil).In(m, h.ErrorAt()+xdr.WordSize, 2*xdr.WordSize)
		}
	}
	if h.ErrorDirected {
		if f := report.Message("c", m, ""); f != nil {
			f.Messagef("the %s sent an RDMA2_ERROR with a direction before its code", c.Sender(m.From))
			f.See("rdma_err at byte", h.ErrorAt(), rpcrdma.FixedSize).Word(m, rpcrdma.FixedSize)
		}
	}
}

// copied judges the version of an error by that of the call which it answers.
func copied(c *rules.Conn, report rules.Reporter, m *dissect.Message) {
	r := m.RPC()
	if r == nil || r.Call == nil || r.Call.Header.Length < rpcrdma.FixedSize || !c.Paired(r) {
		return
	}
	is, was := m.Header.Version, r.Call.Header.Version
	if is == was || is != rpcrdma.Version1 && is != rpcrdma.Version2 || was != rpcrdma.Version1 && was != rpcrdma.Version2 {
		return
	}
	if is == rpcrdma.Version1 && !speaks2(c) {
		return // V2-009b: it may have no other
	}
	if f := report.Message("d", m, c.DoubtOf(r.Requester, r.Call.Frame())); f != nil {
		f.Messagef("the %s answered a call of version %d with an error of version %d", c.Sender(m.From), was, is)
		f.See("rdma_vers", is, was).Word(m, rpcrdma.AtVersion).With(r.Call.Frames...)
	}
}

package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// contents judges an RDMA_ERROR by itself, and by the request that it answers.
func contents(c *rules.Conn, report rules.Reporter, m *dissect.Message) {
	sender := c.Sender(m.From)
	if undefinedError(m) {
		if f := report.Message("a", m, ""); f != nil {
			code := uint32(m.Header.Error)
			f.Messagef("the %s sent an RDMA_ERROR with code %d", sender, code)
			f.See("rdma_err", code, "1 (ERR_VERS) or 2 (ERR_CHUNK)").Word(m, rpcrdma.AtError)
		}
		return
	}
	version, known, doubt := uint32(0), true, ""
	switch r := m.RPC(); {
	case m.Request() != nil:
		version = m.Request().Version
	case r != nil && r.Call != nil && fixed(r.Call) && c.Paired(r):
		version, doubt = r.Call.Header.Version, c.DoubtOf(r.Requester, r.Call.Frame())
	default:
		known = false
	}
	if known && version != m.Header.Version && !(defined(version) && defined(m.Header.Version)) { // else V2-006 and V2-009 have it
		if f := report.Message("e", m, doubt); f != nil {
			f.Messagef("the %s answered a request of version %d with an RDMA_ERROR of version %d", sender, version, m.Header.Version)
			f.See("rdma_vers", m.Header.Version, version).Word(m, rpcrdma.AtVersion)
		}
	}
	e, ok := failureOf(m)
	letter := ""
	switch {
	case !ok || e.code != rpcrdma.ErrVers || !known && m.Header.Version != rpcrdma.Version1:
	case e.low > e.high && m.Header.Version == rpcrdma.Version2: // V2-006
	case e.low > e.high:
		letter = "b"
	case known && e.low <= version && version <= e.high:
		letter = "c"
	}
	if letter == "" {
		return
	}
	if letter == "b" {
		doubt = "" // it is wrong by itself
	}
	if f := report.Message(letter, m, doubt); f != nil {
		if letter == "b" {
			f.Messagef("the %s's ERR_VERS gives %d as the lowest version and %d as the highest", sender, e.low, e.high)
		} else {
			f.Messagef("the %s refused version %d with an ERR_VERS that allows versions %d to %d", sender, version, e.low, e.high)
			f.See("version of the request", version, nil)
		}
		f.See("rdma_vers_low", e.low, nil).See("rdma_vers_high", e.high, nil).In(m, m.Header.ErrorAt()+xdr.WordSize, 2*xdr.WordSize)
	}
}

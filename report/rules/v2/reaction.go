package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// wrong judges the code of an error by the request that it answers.
func wrong(c *rules.Conn, report rules.Reporter, b *pastRequests, m *dissect.Message) {
	h, r := &m.Header, b.asked
	if r == nil || c.Limited(rules.Cut, r.partial) || h.Error == rpcrdma.ErrVers && !speaks2(c) {
		return
	}
	if x := m.RPC(); x != nil && !c.Paired(x) {
		return
	}
	expected, doubt := "", c.Doubt(r.Ref, false)
	switch {
	case r.needs == h.Error:
		return
	case r.needs == rpcrdma.Err2InvalidOption:
		if h.Error != rpcrdma.Err2InvalidProc && (r.carries || h.Error == rpcrdma.ErrVers) {
			return
		}
		if h.Error == rpcrdma.Err2BadXDR {
			doubt = doubtKnown
		}
		expected = name(r.needs)
	case r.needs == rpcrdma.Err2BadXDR && r.proc == rpcrdma.RDMA2Optional && h.Error == rpcrdma.Err2InvalidOption:
		return // the type is read first
	case r.needs != 0:
		expected = name(r.needs)
	case r.proc == rpcrdma.RDMA2Optional, h.Error == rpcrdma.ErrVers:
		return // XCHAR-010's, HDR-013's
	case h.Error == rpcrdma.Err2InvalidProc || h.Error == rpcrdma.Err2InvalidOption:
		expected = "a reply, or another error"
	default:
		return
	}
	if f := report.Message("a", m, doubt); f != nil {
		f.Messagef("the %s answered %s with %s", c.Sender(m.From), r, h.ErrorName())
		f.See("rdma_err", h.ErrorName(), expected).Word(m, h.ErrorAt()).With(r.Ref)
	}
}

// lax reports a reply to what had to be refused.
func lax(c *rules.Conn, report rules.Reporter, b *pastRequests, m *dissect.Message) {
	r, x := b.asked, m.RPC()
	if r == nil || r.needs == 0 || r.needs == rpcrdma.Err2InvalidOption || x == nil || x.Call == nil || !c.Paired(x) || x.Call.Frame() != r.Ref {
		return
	}
	if f := report.Message("a", m, c.Doubt(r.Ref, false)); f != nil {
		f.Messagef("the %s replied to %s", c.Sender(m.From), r)
		f.See("answer", m.Header.ProcName(), name(r.needs)).Word(m, rpcrdma.AtProc).With(r.Ref)
	}
}

// silent reports a request of the client that had to be refused, and got nothing.
func silent(c *rules.Conn, report rules.Reporter, b *pastRequests, r *request) {
	if r.needs == 0 || r.needs == rpcrdma.Err2InvalidOption || b.newest[r.From&1].Compare(r.Ref) <= 0 ||
		!b.whole(r.From.Peer(), r.Ref) || c.EndGuard(r.Time) || c.LastTime-r.Time <= int64(c.Capture.Config.Consequence) {
		return
	}
	doubt := ""
	if c.BeganLate() {
		doubt = finding.DoubtLate
	}
	if f := report.NoAnswer("a", &r.PastMessage, doubt); f != nil {
		f.Messagef("the %s did not answer %s, but answered later requests", c.Sender(r.From.Peer()), r)
		f.See("answer", "none", name(r.needs)).With(b.newest[r.From&1])
	}
}

// String is what the request is, for a person.
func (r *request) String() string {
	switch r.needs {
	case rpcrdma.Err2InvalidProc:
		return "a message with an undefined procedure"
	case rpcrdma.Err2BadXDR:
		return "a header that cannot be decoded"
	case rpcrdma.Err2InvalidOption:
		return "an RDMA2_OPTIONAL of an undefined type"
	}
	h := rpcrdma.Header{Version: rpcrdma.Version2, Proc: r.proc}
	return "an " + h.ProcName()
}

// name is the name of an error in version 2.
func name(e rpcrdma.ErrorCode) string {
	h := rpcrdma.Header{Version: rpcrdma.Version2, Error: e}
	return h.ErrorName()
}

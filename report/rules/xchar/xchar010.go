package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar010() rules.Check {
	return rules.Check{
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event010), rules.OnEnd(end010)},
	}
}

// A refusal is the first time that an end refused a kind of operation as unknown.
type refusal struct {
	rules.PastMessage
	kind rpcrdma.OptionType
	to   flow.Ref
}

// support is what an end shows of which operations it has.
type support struct {
	sent uint8 // kinds of operations, as bits
	// init is its refusal of an INIT_XCHAR, change that of a RESP_XCHAR or UPD_XCHAR.
	init, change refusal
}

func event010(c *rules.Conn, e *event, report rules.Reporter) {
	ends := &state.Of(c).support
	m := e.m
	s := &ends[m.From&1]
	if e.op != nil {
		s.sent |= 1 << e.op.kind
		return
	}
	if m.Header.Error != rpcrdma.Err2InvalidOption {
		unexpectedError(c, report, e)
		return
	}
	r := &s.change
	switch e.to.kind {
	case rpcrdma.InitXchar:
		r = &s.init
	case rpcrdma.ReqXchar:
		return // nobody needs to take requests
	}
	if !r.Seen() {
		*r = refusal{rules.PastPart(m, m.Header.ErrorAt(), 4), e.to.kind, e.to.Ref}
	}
}

func end010(c *rules.Conn, report rules.Reporter) {
	for e := range state.Of(c).support {
		state.Of(c).support[e].check(c, report, flow.End(e))
	}
}

// unexpectedError judges an error for an operation that is not INVAL_OPTION.
func unexpectedError(c *rules.Conn, report rules.Reporter, e *event) {
	m, to := e.m, e.to
	switch m.Header.Error {
	case rpcrdma.ErrVers:
		if n, _ := c.Negotiation(); n.Agreed != rpcrdma.Version2 {
			return
		}
	case rpcrdma.Err2BadXDR:
		if !to.clean || to.stranger >= 0 {
			return
		}
	default:
		if !to.whole {
			return
		}
	}
	if f := report.Message("c", m, ""); f != nil {
		f.Messagef("the %s refused the %s's %v with %s", c.Sender(m.From), c.Sender(m.From.Peer()), to.kind, m.Header.ErrorName())
		f.See("rdma_err", m.Header.ErrorName(), "RDMA2_ERR_INVAL_OPTION, or none").With(to.Ref).Word(m, m.Header.ErrorAt())
	}
}

// check holds what an end refused against what it sent.
func (s *support) check(c *rules.Conn, report rules.Reporter, from flow.End) {
	has := func(k rpcrdma.OptionType) bool { return s.sent>>k&1 != 0 }
	tell := func(letter string, r *refusal, format string, args ...any) {
		report.Past(letter, &r.PastMessage, "").
			Messagef(format, args...).See("rdma_err", "RDMA2_ERR_INVAL_OPTION", nil).With(r.to)
	}
	if r := &s.change; r.Seen() && has(rpcrdma.ReqXchar) {
		tell("a", r, "the %s refused the peer's %v as unknown, but sends REQ_XCHAR itself", c.Sender(from), r.kind)
	}
	r := &s.init
	if !r.Seen() {
		return
	}
	for _, k := range [...]rpcrdma.OptionType{rpcrdma.UpdXchar, rpcrdma.RespXchar, rpcrdma.ReqXchar} {
		if has(k) {
			tell("b", r, "the %s refused an INIT_XCHAR as unknown, but sends %v itself", c.Sender(from), k)
			return
		}
	}
	tell("d", r, "the %s does not support INIT_XCHAR: the defaults apply instead of what the %s announces", c.Sender(from), c.Sender(from.Peer()))
}

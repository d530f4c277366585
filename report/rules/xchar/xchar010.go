package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar010() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-010", Title: "Operations of characteristics are not supported as they must be",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "An end refused an operation that it has to know, since it sends others that ask for it; or it refused one by another " +
			"error than RDMA2_ERR_INVAL_OPTION. Case d: it refused an INIT_XCHAR, and so has no part in characteristics.",
		Why: "Each operation is optional, and INVAL_OPTION is how an end says that it lacks one. From any other answer its peer learns " +
			"nothing, or what is wrong.",
		Advice: "Answer an rdma_opttype that is not supported with RDMA2_ERR_INVAL_OPTION. Who sends REQ_XCHAR must take RESP_XCHAR " +
			"and UPD_XCHAR, and who has these must take INIT_XCHAR.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 4 and 4.1; draft-cel-nfsv4-rpcrdma-version-two-02, sections 4.1 and 4.3",
		Limits: "RDMA2_ERR_BAD_XDR is right for an operation that cannot be decoded, and XCHAR-002's for one with a characteristic that is not " +
			"defined. An ERR_VERS is right before version 2 is agreed on. Operations that nobody defines are V2-007's.",
		Cases: []rules.Case{
			{Letter: "a", Title: "who asks for changes does not take the response or the update", Severity: rules.Error},
			{Letter: "b", Title: "who sends responses or updates does not take INIT_XCHAR", Severity: rules.Error},
			{Letter: "c", Title: "another error than RDMA2_ERR_INVAL_OPTION", Severity: rules.Error},
			{Letter: "d", Title: "the peer has no part in characteristics: the defaults hold", Severity: rules.Note,
				Advice: "Nothing is wrong: each end goes by the defaults of the other, 4096 octets of receive buffer, no remote invalidation by " +
					"XCHAR_RQREMINV, and an unknown support of callbacks."},
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event010), rules.OnEnd(end010)},
		Fires: []rules.Sample{
			{Name: "an update is refused by who asked for it", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR pend=[0]
				optional 2 server UPD_XCHAR RBSIZ=8192 pendclr=TRUE
				error 2 client INVAL_OPTION
				    want XCHAR-010a err
				disconnect`},
			{Name: "a response is refused by who asked for it", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR rej=[0]
				error 1 client INVAL_OPTION
				    want XCHAR-010a
				disconnect`},
			{Name: "INIT_XCHAR is refused by who sends updates", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				error 1 INVAL_OPTION
				    want XCHAR-010b err
				call 3 NFS3 NULL
				reply 3
				optional 2 server UPD_XCHAR RBSIZ=8192
				disconnect`},
			{Name: "INVAL_PROC for an operation", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				error 1 INVAL_PROC
				    want XCHAR-010c err
				disconnect`},
			{Name: "BAD_XDR for an operation in which nothing is wrong", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				error 1 BAD_XDR
				    want XCHAR-010c err
				disconnect`},
			{Name: "the server lacks the extension", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				error 1 INVAL_OPTION
				    want XCHAR-010d err
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a request is refused", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				error 1 INVAL_OPTION
				disconnect`},
			{Name: "a server of version 1", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				error 1 ERR_VERS 1 1
				disconnect`},
			{Name: "BAD_XDR for what cannot be decoded", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				    set xchars.count 9
				    want XCHAR-001d
				error 1 BAD_XDR
				disconnect`},
			{Name: "an update is refused by who never asked for any", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 2 server UPD_XCHAR RBSIZ=8192
				error 2 client INVAL_OPTION
				disconnect`},
		},
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

func event010(c *rules.Conn, e *event, say rules.Say) {
	ends := &of(c).support
	m := e.m
	s := &ends[m.From&1]
	if e.op != nil {
		s.sent |= 1 << e.op.kind
		return
	}
	if m.Header.Error != rpcrdma.Err2InvalidOption {
		strange(c, say, e)
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

func end010(c *rules.Conn, say rules.Say) {
	for e := range of(c).support {
		of(c).support[e].judge(c, say, flow.End(e))
	}
}

// strange judges an error for an operation that is not INVAL_OPTION.
func strange(c *rules.Conn, say rules.Say, e *event) {
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
	if f := say.Message("c", m, ""); f != nil {
		f.Sayf("the %s refused an %v with %s", c.Sender(m.From), to.kind, m.Header.ErrorName())
		f.See("rdma_err", m.Header.ErrorName(), "RDMA2_ERR_INVAL_OPTION, or none").With(to.Ref).Word(m, m.Header.ErrorAt())
	}
}

// judge holds what an end refused against what it sent.
func (s *support) judge(c *rules.Conn, say rules.Say, from flow.End) {
	has := func(k rpcrdma.OptionType) bool { return s.sent>>k&1 != 0 }
	tell := func(letter string, r *refusal, format string, args ...any) {
		if f := say.Past(letter, &r.PastMessage, ""); f != nil {
			f.Sayf(format, args...).See("rdma_err", "RDMA2_ERR_INVAL_OPTION", nil).With(r.to)
		}
	}
	if r := &s.change; r.Seen() && has(rpcrdma.ReqXchar) {
		tell("a", r, "the %s refused an %v as unknown, and sends REQ_XCHAR itself", c.Sender(from), r.kind)
	}
	r := &s.init
	if !r.Seen() {
		return
	}
	for _, k := range [...]rpcrdma.OptionType{rpcrdma.UpdXchar, rpcrdma.RespXchar, rpcrdma.ReqXchar} {
		if has(k) {
			tell("b", r, "the %s refused an INIT_XCHAR as unknown, and sends %v itself", c.Sender(from), k)
			return
		}
	}
	tell("d", r, "the %s does not know INIT_XCHAR: the defaults hold for what the %s announces", c.Sender(from), c.Sender(from.Peer()))
}

package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar004() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-004", Title: "Request and response do not pair",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "A RESP_XCHAR has an XID that no REQ_XCHAR of the peer has, or is the second for one, or a REQ_XCHAR got no answer at " +
			"all.",
		Why: "Who asked for a change waits for the disposition of it, and may not know which limits hold until then. A response that " +
			"pairs with nothing is dropped, and the change that it tells of goes unnoticed.",
		Advice: "Copy the XID of the REQ_XCHAR into the RESP_XCHAR, and answer each request once, also if all that it asks for is " +
			"rejected. A later change is an UPD_XCHAR, with an XID of its own.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 4.2 and 4.3",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut, rules.Unheard.From(rules.Receiver)).In("ac"),
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Disordered, rules.AnyCut).In("b").Since("the request"),
		},
		Limits: "Case b is said of a peer that sent such operations itself, at the end of a connection on which it sent messages for 5 " +
			"s behind the request. Of each end the newest 64 operations are remembered.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a response without a request", Severity: rules.Error},
			{Letter: "b", Title: "a request without an answer", Severity: rules.Warning},
			{Letter: "c", Title: "two responses for one request", Severity: rules.Error},
		},
		Causes: []string{"XCHAR-001"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event004), rules.OnEnd(end004)},
		Fires: []rules.Sample{
			{Name: "the response has an XID of its own", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 2 server RESP_XCHAR done=[0]
				    want XCHAR-004a xid
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "the request of the other end is none of the peer's", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 client RESP_XCHAR done=[0]
				    want XCHAR-004a xid
				optional 1 server RESP_XCHAR done=[0]
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "no answer in six seconds", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server INIT_XCHAR [RBSIZ=4096]
				optional 2 client REQ_XCHAR [RBSIZ=8192]
				    want XCHAR-004b
				call 3 NFS3 NULL
				reply 3
				wait 6s
				call 4 NFS3 NULL
				reply 4
				disconnect`},
			{Name: "done, and done once more", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR pend=[0]
				optional 1 server RESP_XCHAR done=[0]
				    want XCHAR-004c xid
				call 3 NFS3 NULL
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "each request has its response, in any order", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 2 client REQ_XCHAR [BRS=SZLIM]
				optional 2 server RESP_XCHAR rej=[0]
				optional 1 server RESP_XCHAR done=[0]
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "both ends ask, with the same XID", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR done=[0]
				optional 1 client RESP_XCHAR done=[0]
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "an update has the XID of a request that is open", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 client UPD_XCHAR RBSIZ=8192
				optional 1 server RESP_XCHAR done=[0]
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "the XID serves a second request", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR rej=[0]
				optional 1 client REQ_XCHAR [RBSIZ=4096]
				optional 1 server RESP_XCHAR done=[0]
				disconnect`},
			{Name: "the request is missing from the capture", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				    drop
				optional 1 server RESP_XCHAR done=[0]
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "the capture began later", Scene: `
				version 2
				call 2 NFS3 NULL
				reply 2
				call 4 NFS3 NULL
				reply 4
				optional 1 server RESP_XCHAR done=[0]
				call 3 NFS3 NULL
				reply 3`},
			{Name: "the peer lacks the operation", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server INIT_XCHAR [RBSIZ=4096]
				optional 2 client REQ_XCHAR [RBSIZ=8192]
				error 2 INVAL_OPTION
				wait 6s
				call 4 NFS3 NULL
				reply 4
				disconnect`},
			{Name: "nothing shows that the peer knows characteristics", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 2 client REQ_XCHAR [RBSIZ=8192]
				call 3 NFS3 NULL
				reply 3
				wait 6s
				call 4 NFS3 NULL
				reply 4
				disconnect`},
		},
	}
}

// An orphan is a RESP_XCHAR to which no REQ_XCHAR is known, or only one that has its
// response.
type orphan struct {
	rules.PastMessage
	to flow.Ref
}

func event004(c *rules.Conn, e *event, _ rules.Say) {
	b, k := operationsOf(c), of(c)
	m := e.m
	if e.op == nil || e.op.kind != rpcrdma.RespXchar || m.Header.Fault.Bad() {
		return
	}
	list, to := &k.orphans, flow.Ref{}
	if e.to != nil {
		list, to = &k.seconds, e.to.Ref
	}
	if y := &list[m.From&1]; !y.Seen() && !b.forgot(m.From.Peer()) && (e.to == nil || e.to.responses == 2) {
		*y = orphan{rules.PastPart(m, rpcrdma.AtXID, 4), to}
	}
}

func end004(c *rules.Conn, say rules.Say) {
	b, k := operationsOf(c), of(c)
	for i := range k.orphans {
		x := &k.orphans[i]
		asker := x.From.Peer()
		// A request that was captured behind its response is there by now.
		if !x.Seen() || !b.whole() || b.forgot(asker) || !c.WentOn(asker, x.Moment) || b.find(asker, x.XID, true) != nil {
			continue
		}
		if f := say.Past("a", &x.PastMessage, ""); f != nil {
			f.Sayf("the %s sent a RESP_XCHAR with XID %s, which no REQ_XCHAR of the %s has", c.Sender(x.From), rules.Handle(x.XID), c.Sender(asker))
			f.See("rdma_xid", rules.Handle(x.XID), nil)
		}
	}
	for i := range k.seconds {
		x := &k.seconds[i]
		// Another request with the XID may be missing, or have come late.
		if !x.Seen() || !b.whole() || b.forgot(x.From.Peer()) || !c.WentOn(x.From.Peer(), x.Moment) || b.requests(x.From.Peer(), x.XID) > 1 {
			continue
		}
		if f := say.Past("c", &x.PastMessage, ""); f != nil {
			f.Sayf("the %s answered the REQ_XCHAR with XID %s a second time", c.Sender(x.From), rules.Handle(x.XID))
			f.See("responses", 2, 1).With(x.to)
		}
	}
	for e := range b.list {
		for op := range b.list[e].All() {
			unanswered(c, say, b, op)
		}
	}
}

// requests counts the requests of an end with an XID, of those that are remembered.
func (b *operations) requests(e flow.End, xid uint32) (n int) {
	for op := range b.list[e&1].All() {
		if op.kind == rpcrdma.ReqXchar && op.XID == xid {
			n++
		}
	}
	return n
}

// unanswered tells of a REQ_XCHAR that got no answer.
func unanswered(c *rules.Conn, say rules.Say, b *operations, op *operation) {
	peer := op.From.Peer()
	if op.kind != rpcrdma.ReqXchar || op.responses+op.errors > 0 || b.list[peer&1].Len() == 0 || !b.silent(peer, op) {
		return
	}
	if f := say.NoAnswer("b", &op.PastMessage, ""); f != nil {
		f.Sayf("the %s did not answer a REQ_XCHAR, and has sent such operations itself", c.Sender(peer))
		f.See("answer", "none", "RESP_XCHAR").See("time since (s)", (c.LastTime-op.Time)/1e9, nil)
	}
}

package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostAround, rules.Disordered, rules.AnyCut, rules.NothingFollows.From(rules.Receiver)).In("ac"),
			rules.LikelyIf(rules.Lossy, rules.BeganLate).In("ac"),
			rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Receiver), rules.Disordered, rules.AnyCut).In("b").Since("the request"),
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event004), rules.OnEnd(end004)},
	}
}

// An orphan is a RESP_XCHAR to which no REQ_XCHAR is known, or only one that has its
// response.
type orphan struct {
	rules.PastMessage
	to flow.Ref
}

func event004(c *rules.Conn, e *event, _ rules.Reporter) {
	b, k := operationsOf(c), state.Of(c)
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

func end004(c *rules.Conn, report rules.Reporter) {
	b, k := operationsOf(c), state.Of(c)
	for i := range k.orphans {
		x := &k.orphans[i]
		asker := x.From.Peer()
		doubt, ok := b.lacking(asker, x.Ref)
		// A request that was captured after its response is there by now.
		if !x.Seen() || !ok || b.forgot(asker) || !c.WentOn(asker, x.Moment) || b.findOperation(asker, x.XID, true) != nil {
			continue
		}
		report.Past("a", &x.PastMessage, doubt).
			Messagef("the %s sent a RESP_XCHAR with XID %s, which no REQ_XCHAR of the %s has", c.Sender(x.From), rules.Handle(x.XID), c.Sender(asker)).
			See("rdma_xid", rules.Handle(x.XID), nil)
	}
	for i := range k.seconds {
		x := &k.seconds[i]
		doubt, ok := b.lacking(x.From.Peer(), x.Ref)
		// Another request with the XID may be missing, or have come late.
		if !x.Seen() || !ok || b.forgot(x.From.Peer()) || !c.WentOn(x.From.Peer(), x.Moment) || b.requests(x.From.Peer(), x.XID) > 1 {
			continue
		}
		report.Past("c", &x.PastMessage, doubt).
			Messagef("the %s answered the REQ_XCHAR with XID %s a second time", c.Sender(x.From), rules.Handle(x.XID)).
			See("responses", 2, 1).With(x.to)
	}
	for e := range b.list {
		for op := range b.list[e].All() {
			unanswered(c, report, b, op)
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

// unanswered reports a REQ_XCHAR that got no answer.
func unanswered(c *rules.Conn, report rules.Reporter, b *operations, op *operation) {
	peer := op.From.Peer()
	if op.kind != rpcrdma.ReqXchar || op.responses+op.errors > 0 || b.list[peer&1].Len() == 0 || !b.silent(peer, op) {
		return
	}
	if f := report.NoAnswer("b", &op.PastMessage, ""); f != nil {
		f.Messagef("the %s did not answer a REQ_XCHAR, although it has sent such operations itself", c.Sender(peer))
		f.See("answer", "none", "RESP_XCHAR").See("time since", finding.Nanoseconds(c.LastTime-op.Time), nil)
	}
}

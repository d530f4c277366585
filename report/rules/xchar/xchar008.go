package xchar

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar008() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-008", Title: "Pending change without a proper end",
		Severity: rules.Note,
		Since:    "0.6",
		Meaning: "An UPD_XCHAR clears a change that was not pending, or a change that a RESP_XCHAR called pending was never cleared " +
			"before the connection ended.",
		Why: "The end that asked for the change goes by the old value as long as it is pending, and by the lower one if it asked for " +
			"smaller buffers: larger ones are there and not used.",
		Advice: "Send an UPD_XCHAR with optuxc_pendclr TRUE when a pending change is effected or given up, also if the value stays as " +
			"it was; with FALSE for any other change.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 4.3 and 4.4",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut),
			rules.SilentIf(rules.Unheard.From(rules.Sender)).In("bc"),
		},
		Limits: "There is no time by which a pending change must come, so that case b tells only what was so in the end. Cases b and c " +
			"need the end of the connection, and over RoCE they are only likely: what came last may be missing without a trace.",
		Cases: []rules.Case{
			{Letter: "a", Title: "nothing was pending", Severity: rules.Note},
			{Letter: "b", Title: "pending until the connection ended", Severity: rules.Note},
			{Letter: "c", Title: "changed, but pending as before", Severity: rules.Warning},
		},
		Causes: []string{"XCHAR-001", "XCHAR-005"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event008), rules.OnEnd(end008)},
		Fires: []rules.Sample{
			{Name: "an update of its own accord that clears", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server UPD_XCHAR RBSIZ=8192 pendclr=TRUE
				    want XCHAR-008a pendclr
				disconnect`},
			{Name: "the change was done, not pending", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR done=[0]
				optional 2 server UPD_XCHAR RBSIZ=8192 pendclr=TRUE
				    want XCHAR-008a
				disconnect`},
			{Name: "it never came", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 BRS=SZLIM]
				optional 1 server RESP_XCHAR done=[0] pend=[1]
				    want XCHAR-008b
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "it came, and nothing says that it is over", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR pend=[0]
				optional 2 server UPD_XCHAR RBSIZ=8192
				    want XCHAR-008c pendclr
				call 3 NFS3 NULL
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "cleared with the same value as before", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR pend=[0]
				optional 2 server UPD_XCHAR RBSIZ=4096 pendclr=TRUE
				disconnect`},
			{Name: "two steps, of which the last clears", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=16384]
				optional 1 server RESP_XCHAR pend=[0]
				optional 2 server UPD_XCHAR RBSIZ=8192
				optional 3 server UPD_XCHAR RBSIZ=16384 pendclr=TRUE
				disconnect`},
			{Name: "the update overtakes the response", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 2 server UPD_XCHAR RBSIZ=8192 pendclr=TRUE
				optional 1 server RESP_XCHAR done=[0]
				disconnect`},
			{Name: "the capture ends", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR pend=[0]
				call 3 NFS3 NULL
				reply 3`},
			{Name: "the response may be missing from the capture", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR pend=[0]
				    drop
				optional 2 server UPD_XCHAR RBSIZ=8192 pendclr=TRUE
				call 3 NFS3 NULL
				reply 3
				disconnect`},
		},
	}
}

// doubtUpdate is why a change may not have been pending in the end.
const doubtUpdate = "an update that came last may be missing from the capture without a trace"

// A pending is a change that an end said is to come.
type pending struct {
	rules.PastMessage
	id rpcrdma.CharacteristicID
	// update is the last UPD_XCHAR that changed it and did not clear, with its
	// optuxc_pendclr.
	update rules.PastMessage
}

// ledger are the changes of one end that are pending. It is blind once some may not be
// known.
type ledger struct {
	list  []pending
	blind bool
}

func (l *ledger) find(id rpcrdma.CharacteristicID) int {
	return slices.IndexFunc(l.list, func(p pending) bool { return p.id == id })
}

func event008(c *rules.Conn, e *event, say rules.Say) {
	b, ends := operationsOf(c), &of(c).pending
	if e.op == nil {
		return
	}
	l := &ends[e.m.From&1]
	switch {
	case e.op.kind == rpcrdma.RespXchar:
		l.responded(e)
	case e.op.kind == rpcrdma.UpdXchar && e.op.sound && len(e.op.items) > 0:
		l.updated(c, say, b, e)
	case e.op.kind == rpcrdma.UpdXchar:
		l.blind = true
	}
}

func end008(c *rules.Conn, say rules.Say) {
	if c.Closing == flow.Open || c.Closing == flow.Replaced || !operationsOf(c).whole() {
		return
	}
	for e := range of(c).pending {
		if l := &of(c).pending[e]; !l.blind {
			l.end(c, say, flow.End(e))
		}
	}
}

// responded enters what a RESP_XCHAR says is pending.
func (l *ledger) responded(e *event) {
	known := e.elements(e.option.Pending, func(_ int, x *item) {
		p := pending{PastMessage: rules.Past(e.m), id: x.id}
		switch i := l.find(x.id); {
		case i >= 0:
			l.list[i] = p
		case len(l.list) < mostItems:
			l.list = append(l.list, p)
		default:
			l.blind = true
		}
	})
	l.blind = l.blind || !known
}

// updated clears what an UPD_XCHAR clears.
func (l *ledger) updated(c *rules.Conn, say rules.Say, b *operations, e *event) {
	m, o, x := e.m, e.option, &e.op.items[0]
	i := l.find(x.id)
	at := o.Start + len(o.Info) - o.Left - 4
	switch {
	case i >= 0 && o.PendingClear:
		l.list = slices.Delete(l.list, i, i+1)
	case i >= 0:
		l.list[i].update = rules.PastPart(m, at, 4)
	case o.PendingClear && !l.blind && b.whole() && !b.forgot(m.From.Peer()) && !b.asked(m.From.Peer(), x.id):
		if f := say.Key(x.id).Message("a", m, ""); f != nil {
			f.Sayf("the %s's UPD_XCHAR clears a change of %v, and none was pending", c.Sender(m.From), x.id)
			f.See("optuxc_pendclr", true, false).In(m, at, 4)
		}
	}
}

// asked reports whether an end has a request open that asks for a characteristic.
func (b *operations) asked(e flow.End, id rpcrdma.CharacteristicID) bool {
	for op := range b.list[e&1].All() {
		if op.kind == rpcrdma.ReqXchar && op.responses+op.errors == 0 &&
			(!op.sound || op.count > len(op.items) || slices.ContainsFunc(op.items, func(x item) bool { return x.id == id })) {
			return true
		}
	}
	return false
}

// end tells what is still pending.
func (l *ledger) end(c *rules.Conn, say rules.Say, from flow.End) {
	doubt := doubtUpdate
	if c.IWARP() {
		doubt = "" // its end has a place in the stream
	}
	for i := range l.list {
		p := &l.list[i]
		if !c.WentOn(from, p.Moment) || p.update.Seen() && !c.WentOn(from, p.update.Moment) {
			continue
		}
		if !p.update.Seen() {
			if f := say.Key(p.id).Past("b", &p.PastMessage, doubt); f != nil {
				f.Sayf("the %s said that a change of %v is pending, and the connection ended without it", c.Sender(from), p.id)
				f.See("time since (s)", (c.LastTime-p.Time)/1e9, nil)
			}
			continue
		}
		if f := say.Key(p.id).Moment("c", p.update.Ref, p.update.Time, &from, doubt); f != nil {
			f.Octets = p.update.Octets
			f.Sayf("the %s changed %v, which was pending, and did not say that this is over", c.Sender(from), p.id)
			f.See("optuxc_pendclr", false, true).With(p.Ref)
		}
	}
}

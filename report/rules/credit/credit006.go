package credit

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit006() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-006", Title: "Credit overrun in reverse direction",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The server sent a callback while it already had as many callbacks without a reply as it may have: the lower of " +
			"what the client granted in its replies to callbacks and what the server asks for in them, and one before the first such reply.",
		Why: "A client posts few receives beside those for the replies that it awaits. A callback too many takes the receive of a reply, " +
			"draws an RNR NAK or a Terminate, and the connection is lost in the middle of a recall.",
		Advice: "Look at how the server counts its callbacks. The credits of the two directions are separate: what the client asks for " +
			"in its calls says nothing about callbacks.",
		Reference: "RFC 8167, sections 4.1 and 4.3; draft-cel-nfsv4-rpcrdma-version-two-02, section 4.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.NearEnd).Since("the oldest open call"),
			rules.LikelyIf(rules.Disordered, rules.Unheard.From(rules.Client)),
			rules.DetailIf(rules.BeganLate),
		},
		Limits: "What counts, and frames out of order, as for CREDIT-001. That the first callback must be answered before the second " +
			"is checked only if the set-up was captured. Case b is an inference from equal numbers.",
		Cases: []rules.Case{
			{Letter: "b", Title: "the server holds to the credits of the forward direction", Severity: rules.Warning},
		},
		Wide:   true,
		Causes: []string{"CREDIT-007"},
		Needs:  []rules.Knowledge{accounts()},
		On:     []rules.Event{onEvent(inReverse*(ofCalls|ofAnswers), event006), rules.OnEnd(end006)},
		Fires: []rules.Sample{
			{Name: "two callbacks before the first reply to one", Scene: reverse + `
				callback 3 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				callback 4 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    want CREDIT-006 8+4
				reply 3
				reply 4
				disconnect`},
			{Name: "two callbacks of version 2 before the first reply to one", Scene: `
				connect version=2
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 2
				callback 3 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				callback 4 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    want CREDIT-006 8+4
				reply 3
				reply 4
				disconnect`},
			{Name: "three callbacks where two are granted", Scene: reverse + `
				callback 3 CB_NULL
				reply 3
				    credits 2
				callback 4 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				callback 5 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				callback 6 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    want CREDIT-006 8+4
				reply 4
				reply 5
				reply 6
				disconnect`},
			{Name: "as many callbacks as the client asks for in its calls", Scene: reverse + `
				callback 3 CB_NULL
				reply 3
				    credits 2
				call 7 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} GETATTR]
				    credits 4
				callback 4 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				callback 5 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				callback 6 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    want CREDIT-006 8+4
				callback 8 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    want CREDIT-006b
				reply 4
				reply 5
				reply 6
				reply 8
				reply 7
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "as many callbacks as are granted, beside open calls", Scene: reverse + `
				call 7 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} GETATTR]
				callback 3 CB_NULL
				reply 3
				    credits 2
				callback 4 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				callback 5 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				reply 4
				    credits 2
				callback 6 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				reply 5
				reply 6
				reply 7
				disconnect`},
			{Name: "the same XID is open in both directions", Scene: reverse + `
				call 7 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} GETATTR]
				callback 3 CB_NULL
				    xid 0x1007
				reply 7
				reply 3
				    credits 1
				callback 4 CB_NULL
				    xid 0x1008
				call 8 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} GETATTR]
				reply 8
				reply 4
				disconnect`},
		},
	}
}

// reverse is the begin of a scene in which the client gets ready for callbacks.
const reverse = `
				connect
				call 1 NFS4 NULL
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 2
`

func event006(a *account, e *event, say rules.Say) {
	c, k, l := a.c, of(a.c), a.reverse()
	if _, setUp := c.Thresholds(); setUp || l.granted > 0 {
		if o, doubt := k.reverse.look(a, l, e); o != nil {
			o.say(c, say, c.ClientEnd.Peer(), doubt)
		}
	}
	if e.kind == called && len(l.open) > k.most.number {
		k.most.note(e, len(l.open), a.forward())
	}
}

func end006(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil {
		return
	}
	w, most, from := &k.reverse, &k.most, c.ClientEnd.Peer()
	if o, doubt := w.end(accountOf(c)); o != nil {
		o.say(c, say, from, doubt)
	}
	if w.count == 0 || !most.equal {
		return
	}
	if f := say.Moment("b", most.Ref, most.Time, &from, "the numbers may be equal by chance"); f != nil {
		f.XID, f.HasXID = most.xid, true
		f.Sayf("the server has at most %d callbacks open: as many as the credits of the calls in forward direction", most.number)
		f.See("open callbacks", most.number, w.overrun.limit).See("rdma_credit in forward direction", most.number, nil)
	}
}

// mostCallbacks is when the most callbacks were open, and whether these are as many
// as the credits of the forward direction.
type mostCallbacks struct {
	number int
	equal  bool
	xid    uint32
	flow.Moment
}

func (m *mostCallbacks) note(e *event, number int, forward *ledger) {
	m.number, m.xid, m.Moment = number, e.xid, e.Moment
	m.equal = number > 1 && (uint32(number) == forward.granted || uint32(number) == forward.asked)
}

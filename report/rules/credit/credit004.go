package credit

import (
	"time"

	"github.com/rdmacap/rdmacap/report/rules"
)

func credit004() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-004", Title: "Grant cut below what is in flight",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A reply grants fewer credits than calls are still open, or replies more than halved the grant twice within a second. " +
			"It is a note where the grant was more than halved once.",
		Why: "A responder may lower its grant at any time, but the calls that are already under way were sent under the old one: " +
			"if it took their receives away too, they draw an RNR NAK or a Terminate.",
		Advice: "Look at what lets the responder lower its grant: memory pressure, a limit of connections, a shared receive queue. " +
			"Receives should go only when the calls that were promised one have come.",
		Reference: "RFC 8166, section 3.3.1",
		Gates:     rules.Gates{rules.SilentIf(rules.Disordered).Of("a grant below the calls in flight")},
		Limits: "Calls that were sent before a hole in the capture are not counted. Silent for a grant of zero, which CREDIT-003 is " +
			"about, and for a single cut by half or less.",
		Wide:   true,
		Causes: []string{"CREDIT-005"},
		Needs:  []rules.Knowledge{accounts()},
		On:     []rules.Event{onEvent(ofCuts, event004)},
		Fires: []rules.Sample{
			{Name: "four calls are open, and two credits are granted", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 8
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				call 4 NFS3 GETATTR
				call 5 NFS3 GETATTR
				reply 2
				    credits 2
				    want CREDIT-004 8+4
				reply 3
				    credits 2
				reply 4
				    credits 2
				reply 5
				    credits 2
				disconnect`},
			{Name: "the grant is cut twice in a second", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 64
				call 2 NFS3 GETATTR
				reply 2
				    credits 20
				    want CREDIT-004 8+4
				call 3 NFS3 GETATTR
				reply 3
				    credits 5
				    want CREDIT-004 8+4
				disconnect`},
			{Name: "a single cut is a note", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 64
				call 2 NFS3 GETATTR
				reply 2
				    credits 16
				    want CREDIT-004 8+4
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the grant is cut by half, to what is in flight", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 4
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				call 4 NFS3 GETATTR
				reply 2
				    credits 2
				reply 3
				    credits 2
				reply 4
				    credits 2
				disconnect`},
			{Name: "the grant grows", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 4
				call 2 NFS3 GETATTR
				reply 2
				    credits 64
				disconnect`},
		},
	}
}

func event004(a *account, e *event, say rules.Say) {
	l, to, halved := a.of(e), e.from.Peer()&1, &of(a.c).halved
	open, half := len(l.open), uint64(e.credits)*2 < uint64(e.formerly)
	below := uint64(e.credits) < uint64(open)
	twice := half && halved[to] != 0 && e.Time-halved[to] < int64(time.Second)
	if half {
		halved[to] = e.Time
	}
	as := say
	switch {
	case below && a.c.Disordered():
		return // the calls may have been sent behind it
	case below || twice:
	case half:
		as = say.As(rules.Note)
	default:
		return
	}
	f := as.Moment("", e.frame, e.Time, &e.from, "")
	if f == nil {
		return
	}
	f.XID, f.HasXID = e.xid, true
	who := a.c.Sender(e.from)
	switch {
	case below:
		f.Sayf("the %s grants %d credits instead of %d while %d calls are still open", who, e.credits, e.formerly, open)
		f.See("rdma_credit", e.credits, open)
	case twice:
		f.Sayf("the %s cuts its grant from %d to %d credits, the second cut within a second", who, e.formerly, e.credits)
		f.See("rdma_credit", e.credits, e.formerly)
	default:
		f.Sayf("the %s cuts its grant from %d to %d credits", who, e.formerly, e.credits)
		f.See("rdma_credit", e.credits, e.formerly)
	}
	f.See("open calls", open, nil).At(e.place)
}
